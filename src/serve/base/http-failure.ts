import { Failure, type FailureCode } from '../../contract/base/failure.ts';

export class HttpFailure extends Failure {
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: FailureCode, message: string, status: number, headers: Readonly<Record<string, string>>) {
    super(code, message, { status });
    this.headers = headers;
  }
}
