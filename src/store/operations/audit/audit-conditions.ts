/** Whether an operation took effect, judged by its result. Only then is it audited. */
export const isTrue = (result: boolean): boolean => result

export const isPresent = (result: object | null): boolean => result !== null

export const always = (): boolean => true

export const is =
  (word: string) =>
  (result: string): boolean =>
    result === word

export const hasOutcome =
  (word: string) =>
  ({ outcome }: { outcome: string }): boolean =>
    outcome === word
