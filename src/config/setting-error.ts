import { OperatorError } from '../base/operator-error.ts'
import type { JsonPath } from './json-positions.ts'

/** One thing that is wrong with a setting. The message is one line without secrets. */
export class SettingError extends OperatorError {
  /** Where in the value of the setting; empty for the value itself. */
  readonly path: JsonPath

  constructor(message: string, path: JsonPath = []) {
    super(message)
    this.path = path
  }
}

/** Several at once. */
class SettingErrors extends SettingError {
  readonly problems: readonly SettingError[]

  constructor(problems: readonly SettingError[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.problems = problems
  }
}

const problemsOf = (error: SettingError): readonly SettingError[] =>
  error instanceof SettingErrors ? error.problems : [error]

/** What `read` returns, or null if it throws a `SettingError`, whose problems are then added. */
export const collecting = <Value>(problems: SettingError[], read: () => Value): Value | null => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    problems.push(...problemsOf(error))
    return null
  }
}

/** Throws what was collected, if anything. */
export const throwProblems = (problems: readonly SettingError[]): void => {
  const [only] = problems
  if (only !== undefined) throw problems.length === 1 ? only : new SettingErrors(problems)
}

/** Reads every item, and throws the problems of all of them together. */
export const readEach = <Item, Value>(items: readonly Item[], read: (item: Item, index: number) => Value): Value[] => {
  const problems: SettingError[] = []
  const values = items.flatMap((item, index) => collecting(problems, () => [read(item, index)]) ?? [])
  throwProblems(problems)
  return values
}

/** Errors name the place of the value: in words, and as a path. */
export const within = <Value>(where: string, read: () => Value, ...path: JsonPath): Value =>
  located((message) => `${where}: ${message}`, path, read)

/** As a path only: the message names the item itself. */
export const atIndex = <Value>(index: number, read: () => Value): Value => located((message) => message, [index], read)

const located = <Value>(named: (message: string) => string, path: JsonPath, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const problems = problemsOf(error).map(
      (problem) => new SettingError(named(problem.message), [...path, ...problem.path]),
    )
    throw problems.length === 1 ? (problems[0] ?? error) : new SettingErrors(problems)
  }
}
