/** Bounds what charged calls may cost: a budget for the life of the server, and a person's consent beyond it. */
import { Failure } from '../contract/base/failure.ts';
import { command, say, setting } from '../contract/base/wording.ts';
import type { Price } from '../flow/price.ts';

export interface Charge {
  readonly tool: string;
  /** The arguments as they came: a yes counts for these and no others. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly price: Price;
  /** The call's own limit (`max_credits`). */
  readonly most: number | undefined;
}

/** Credits that were reserved for a call. `used`: what it cost in the end. */
export interface Reserved {
  settle(used: number): void;
}

/** How this client can ask the person during this call. */
export interface Asking {
  /** The person's answer to an earlier question: its token, and whether it was yes. */
  readonly answer: { readonly token: string; readonly yes: boolean } | undefined;
  readonly canAsk: boolean;
}

/** Thrown to have the person asked; the client then repeats the call with the answer. */
export class AskPerson extends Error {
  readonly token: string;

  constructor(token: string, question: string) {
    super(question);
    this.token = token;
  }
}

/** Open questions kept; the oldest are dropped. */
const MOST_QUESTIONS = 64;

export class Spending {
  readonly #budget: number;
  readonly #token: () => string;
  #spent = 0;
  /** Open questions: token to the charge that each is about. */
  readonly #asked = new Map<string, string>();

  /** `budget`: credits for the life of the server. `token`: makes an unguessable token. */
  constructor(budget: number, token: () => string) {
    this.#budget = budget;
    this.#token = token;
  }

  get budget(): number {
    return this.#budget;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Reserves the price, or throws: a Failure that names it, or AskPerson. */
  reserve(charge: Charge, { answer, canAsk }: Asking): Reserved {
    const { price, most, tool } = charge;
    const costs = `${tool} costs ${price.atMost ? 'up to ' : ''}${creditsOf(price.credits)} (${price.why})`;
    if (most !== undefined && price.credits > most) {
      throw new Failure('over_max_credits', `${costs}, and this call allows ${most}; nothing was sent`, {
        hint: `Call it again with max_credits ${price.credits} if the person agrees.`,
      });
    }
    if (answer !== undefined) {
      const about = this.#asked.get(answer.token);
      this.#asked.delete(answer.token);
      // An answer counts only for a question about this very call.
      if (about === subjectOf(charge)) {
        if (answer.yes) return { settle: () => {} };
        throw new Failure('over_max_credits', `${costs}, and the person said no; nothing was sent`);
      }
    }
    if (this.#spent + price.credits <= this.#budget) return this.#take(price.credits);
    const left = `${creditsOf(this.#budget - this.#spent)} of ${this.#budget} are left in this server's budget`;
    if (canAsk) throw this.#question(charge, `${costs}. ${left.charAt(0).toUpperCase()}${left.slice(1)}. Send it?`);
    throw new Failure('over_max_credits', `${costs}; ${left}; nothing was sent`, {
      hint: say`Allow it with ${command('mcp')} ${setting('max-credits')} ${this.#spent + price.credits}.`,
    });
  }

  #take(credits: number): Reserved {
    this.#spent += credits;
    return { settle: (used) => void (this.#spent += used - credits) };
  }

  #question(charge: Charge, question: string): AskPerson {
    const token = this.#token();
    this.#asked.set(token, subjectOf(charge));
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_QUESTIONS && oldest !== undefined) this.#asked.delete(oldest);
    return new AskPerson(token, question);
  }
}

function subjectOf({ tool, given, price }: Charge): string {
  const sorted = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([tool, price.credits, sorted]);
}

function creditsOf(amount: number): string {
  return amount === 1 ? '1 credit' : `${amount} credits`;
}
