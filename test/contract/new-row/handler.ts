import type { Context } from '../../../src/contract/base/ports.ts';
import type { InputOf, ResultOf } from '../../../src/contract/operation.ts';
import type { seal } from './rows.ts';

export async function run(input: InputOf<typeof seal>, ctx: Context): Promise<ResultOf<typeof seal>> {
  const { file, seal_word: word, second_word: second, loud = false } = input;
  const write = (name: string, text: string) => {
    const draft = ctx.temp.create(name);
    draft.write(new TextEncoder().encode(text));
    return { name, body: draft.finish() };
  };
  const codes = [...word].map((letter) => letter.codePointAt(0));
  return {
    kind: 'parts',
    parts: [
      write('seal of page 1.png', 'not a real picture'),
      write('seal.json', JSON.stringify({ codes, second: second?.length, loud, size: file.size })),
    ],
  };
}
