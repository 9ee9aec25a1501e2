// Owns the error that says a file does not follow its own structure. It stays inside pdf/: operations see a Failure.

/** The file contradicts itself or ends early; the reader may try again by scanning it. */
export class Damage extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Damage';
  }
}
