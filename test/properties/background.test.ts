import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Background } from '../../src/pdf/background.ts';

it('gives results in the order in which they were begun', async () => {
  const background = new Background<number>();
  let running = 0;
  let most = 0;
  for (let i = 0; i < 120; i++) {
    const work = async (): Promise<number> => {
      most = Math.max(most, ++running);
      await sleep((i * 7) % 5);
      running -= 1;
      return i;
    };
    await background.add(work());
  }
  expect(await background.results()).toEqual(Array.from({ length: 120 }, (_, i) => i));
  expect(most).toBeLessThan(60);
});

it('fails with what failed, and waits for the rest', async () => {
  const background = new Background<number>();
  let ended = 0;
  for (let i = 0; i < 5; i++) {
    await background.add(
      sleep(i).then(() => {
        ended += 1;
        if (i === 1) throw new Error('one of them');
        return i;
      }),
    );
  }
  await expect(background.results()).rejects.toThrow('one of them');
  await background.settled();
  expect(ended).toBe(5);
});
