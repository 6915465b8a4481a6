import { Environment, Interpreter, parse, Template, tokenize } from '@huggingface/jinja'

/**
 * Runs chat templates within bounds. A template comes with the weights, and one that builds a value of hundreds of megabytes in
 * one step would end the whole process: V8 cannot stop a thread in the middle of an allocation. Small steps, however many, are
 * bounded by the time and memory of the thread.
 */
export type TemplateProgram = { type: string }

type Value = { value: unknown }
type Variables = { set(name: string, value: unknown): unknown }

/** The types of the library's runtime cannot be resolved from its package. */
const VariableScope: new () => Variables = Environment
const LibraryInterpreter: new (
  variables: Variables,
) => {
  run(program: TemplateProgram): Value
  /** Called for every part of the program. */
  evaluate(part: { type: string } | undefined, scope: Variables): Value
} = Interpreter

export const parseTemplate = (source: string): TemplateProgram =>
  parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }))

/** As in Jinja's own sandbox. */
const maxRangeItems = 100_000
/** Far more than fits into any model's context. */
const maxItems = 1_000_000
const maxCharacters = 16 * 2 ** 20
/** Of all strings that one rendering builds. Each level of nesting builds the text inside it again. */
const maxBuiltCharacters = 512 * 2 ** 20

export const runTemplate = (program: TemplateProgram, variables: Readonly<Record<string, unknown>>): string => {
  const environment = new VariableScope()
  // Throws if a variable has the name of a global one.
  for (const [name, value] of [...Object.entries(globals), ...Object.entries(variables)]) environment.set(name, value)
  return String(new BoundedInterpreter(environment).run(program).value)
}

class BoundedInterpreter extends LibraryInterpreter {
  #builtCharacters = 0

  override evaluate(part: { type: string } | undefined, scope: Variables): Value {
    const result = super.evaluate(part, scope)
    const { value } = result
    if (typeof value === 'string') {
      if (value.length > maxCharacters) throw new Error(`it builds a text of more than ${maxCharacters} characters`)
      if (part !== undefined && !reads.has(part.type)) this.#builtCharacters += value.length
      if (this.#builtCharacters > maxBuiltCharacters)
        throw new Error(`it builds texts of more than ${maxBuiltCharacters} characters`)
    } else if (Array.isArray(value) && value.length > maxItems)
      throw new Error(`it builds a list of more than ${maxItems} items`)
    return result
  }
}

/** These expressions only refer to values that exist already, so their results are not counted. */
const reads = new Set(['Identifier', 'MemberExpression', 'StringLiteral'])

const range = (start: number, stop?: number, step = 1): number[] => {
  const [from, to] = stop === undefined ? [0, start] : [start, stop]
  const count = Math.max(0, Math.ceil((to - from) / step))
  if (step === 0 || !(count <= maxRangeItems)) throw new Error(`range() of more than ${maxRangeItems} items`)
  return Array.from({ length: count }, (_, index) => from + index * step)
}

const strftimeNow = new Template('{{ strftime_now(format) }}')

/** The library's own globals, which it does not export, with a bounded `range`. */
const globals = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  raise_exception(reason: string) {
    throw new Error(reason)
  },
  range,
  strftime_now: (format: string) => strftimeNow.render({ format }),
}
