// A time limit replaces the signal of a context and nothing else: the journal must learn when a request's last bytes leave.
import { expect, it } from 'vitest';
import { withDeadline } from '../../src/remote/deadline.ts';
import { createContext } from './context.ts';

it('a call with a time limit hands on all of its context', () => {
  const outer = { ...createContext(), beforeLastBytes: () => {}, password: async () => undefined };
  const { ctx, release } = withDeadline(outer, 1000);
  release();
  expect(Object.keys(ctx).sort()).toEqual(Object.keys(outer).sort());
  expect(ctx.beforeLastBytes).toBe(outer.beforeLastBytes);
});
