/**
 * How much work a text may cost. The parser is synchronous and nothing can interrupt it, so its work is counted before it
 * is done: about one unit for each character that a step may look at. Counting gives the same result on every machine.
 */
export type WorkBudget = { spend(units: number): void; spent(): number }

/** Thrown in the middle of parsing; the text is then shown as it is. */
export class BudgetSpentError extends Error {}

export const createWorkBudget = (limit: number): WorkBudget => {
  let spent = 0
  return {
    spend(units) {
      spent += units
      if (spent > limit) throw new BudgetSpentError()
    },
    spent: () => Math.min(spent, limit),
  }
}
