import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Tree = Record<string, unknown>;

export interface Description {
  /** What is wrong with an answer; empty where the document describes it. Reads the body. */
  issues(method: string, path: string, answer: Response): Promise<string[]>;
}

export function describedBy(document: Tree): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS whose default is the function itself, which its types do not say.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'doc:', ...document });
  return {
    async issues(method, path, answer) {
      const found = templateOf(document, path);
      const operation = found === undefined ? undefined : at(document, ['paths', found, method.toLowerCase()]);
      if (found === undefined || operation === undefined) return [`${method} ${path} is not described`];
      const responses = operation.responses as Tree;
      const key = String(answer.status) in responses ? String(answer.status) : 'default';
      const pointer = ['paths', found, method.toLowerCase(), 'responses', key];
      const given = at(document, pointer);
      if (given === undefined) return [`${method} ${path}: ${answer.status} is not described`];
      const reference = typeof given.$ref === 'string' ? given.$ref.slice(2).split('/') : pointer;
      const content = at(document, [...reference, 'content']) ?? {};
      const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
      if (!(type in content)) return [`${method} ${path}: ${answer.status} with ${type || 'no type'} is not described`];
      return [
        ...headerIssues(ajv, at(document, [...reference, 'headers']) ?? {}, answer),
        ...(type === 'application/json'
          ? bodyIssues(ajv, [...reference, 'content', type, 'schema'], await answer.clone().json())
          : []),
      ];
    },
  };
}

function headerIssues(ajv: Ajv2020, described: Tree, answer: Response): string[] {
  return Object.entries(described).flatMap(([name, header]) => {
    const value = answer.headers.get(name);
    const schema = (header as Tree).schema as object; // every header of the document has one
    return value === null || ajv.validate(schema, value) ? [] : [`${name}: ${ajv.errorsText()}`];
  });
}

function bodyIssues(ajv: Ajv2020, pointer: readonly string[], body: unknown): string[] {
  const fragment = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.validate({ $ref: `doc:#/${fragment}` }, body) ? [] : [`${fragment}: ${ajv.errorsText()}`];
}

function templateOf(document: Tree, path: string): string | undefined {
  const plain = path.split('?', 1)[0] ?? '';
  const paths = Object.keys(document.paths as Tree);
  const exact = paths.find((each) => each === plain);
  return exact ?? paths.find((each) => new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain));
}

function at(tree: unknown, keys: readonly string[]): Tree | undefined {
  let found: unknown = tree;
  for (const key of keys) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found as Tree | undefined;
}
