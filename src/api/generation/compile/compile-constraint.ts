import { parseJsonText } from '../../../base/parse-json-text.ts'
import { anyObjectGrammar } from '../../../grammar/any-json-grammar.ts'
import { compileGrammar } from '../../../grammar/compile-grammar.ts'
import { type Grammar, GrammarRefused } from '../../../grammar/grammar.ts'
import { type GrammarBudget, newGrammarBudget } from '../../../grammar/grammar-rules.ts'
import { jsonSchemaGrammar } from '../../../grammar/json-schema-grammar.ts'
import { PatternRefused } from '../../../grammar/pattern-refused.ts'
import { choiceGrammar, regexGrammar } from '../../../grammar/regex-grammar.ts'
import { SchemaRefused } from '../../../grammar/schema-refused.ts'
import { isNestedDeeper } from '../../../http/json-depth.ts'
import { createConstraint } from './constraint.ts'
import { sourceParam } from './grammar-job.ts'
import {
  type CompileOutcome,
  type CompileRefusal,
  CompileRefused,
  type FormatSource,
  type GrammarSource,
  type ToolSource,
} from './grammar-source.ts'

/** Compiles a source into the constraint for the engine. A caller can make this slow. */
export const compileConstraint = (source: GrammarSource): CompileOutcome => {
  const { tools, calls, format, isOfficialOnly = false } = source
  try {
    const budget = newGrammarBudget()
    const compiled = tools.map((tool) => ({
      name: tool.name,
      arguments: argumentsGrammar(tool, { budget, isOfficialOnly }),
    }))
    const callable = calls?.callable.flatMap((index) => compiled[index] ?? []) ?? []
    const constraint = createConstraint(
      calls === null ? null : { ...calls, callable },
      format === null ? null : formatGrammar(format, { budget: newGrammarBudget(), isOfficialOnly }),
    )
    if (constraint === null) return { ok: true, constraint }
    const compileWhole = () => compileGrammar(constraint.grammar)
    return { ok: true, constraint: { ...constraint, grammar: orRefused(compileWhole, sourceParam(source)) } }
  } catch (error) {
    if (!(error instanceof CompileRefused)) throw error
    return { ok: false, refusal: error.refusal }
  }
}

type Options = { budget: GrammarBudget; isOfficialOnly: boolean }

/**
 * With `strict` the arguments conform to the schema, or the request is refused. Without it the schema is enforced if
 * possible, and the arguments are always a JSON object. All functions of a request share one budget.
 */
const argumentsGrammar = ({ name, parameters, strict, param }: ToolSource, options: Options): Grammar => {
  const refuse = (reason: string) => new CompileRefused({ error: 'invalid_function_parameters', name, reason, param })
  const type = parameters.type ?? 'object'
  if (type !== 'object')
    throw refuse(`schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type)}'.`)
  try {
    // The official service requires a strict schema to say this itself.
    const described = strict && options.isOfficialOnly ? parameters : declaredOnly(parameters)
    return boundedSchemaGrammar({ ...described, type }, { strict, ...options })
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error
    if (strict) throw refuse(error.message)
    return anyObjectGrammar()
  }
}

/** Keywords of a parameter schema that can describe arguments. */
const describing = 'required minProperties additionalProperties anyOf oneOf allOf $ref enum const'.split(' ')

/** A function that declares no parameters takes none. JSON Schema would allow any, and models would invent some. */
const declaredOnly = (parameters: Record<string, unknown>): Record<string, unknown> => {
  const { properties = {} } = parameters
  const declaresNone = typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0
  const isDescribed = describing.some((keyword) => !isEmptyList(parameters[keyword]))
  return declaresNone && !isDescribed ? { ...parameters, additionalProperties: false } : parameters
}

const isEmptyList = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

const formatGrammar = (source: FormatSource, options: Options): Grammar => {
  switch (source.type) {
    case 'object':
      return anyObjectGrammar()
    case 'schema':
      return wantedGrammar(source.schema, source, options)
    case 'schema_text':
      return wantedGrammar(parseText(source.text, source.param), { ...source, strict: false }, options)
    case 'regex':
      return textGrammar(() => regexGrammar(source.pattern), source.param)
    case 'choice':
      return textGrammar(() => choiceGrammar(source.choices), source.param)
  }
}

type Wanted = { strict: boolean; place: string; param: string }

const wantedGrammar = (schema: unknown, { strict, place, param }: Wanted, options: Options): Grammar => {
  try {
    return boundedSchemaGrammar(schema, { strict, ...options })
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error
    throw new CompileRefused({ error: 'invalid_schema', place, reason: error.message, param })
  }
}

const boundedSchemaGrammar = (schema: unknown, options: Options & { strict: boolean }): Grammar => {
  try {
    return jsonSchemaGrammar(schema, options)
  } catch (error) {
    // Too many arguments for one call, or too deep for the stack.
    if (error instanceof RangeError) throw new SchemaRefused([], 'the schema is too complex.')
    throw error
  }
}

/** The limit on the nesting of the body does not cover JSON inside a string, and nested brackets are slow to parse. */
const parseText = (text: string, param: string): unknown => {
  if (isNestedDeeper(Buffer.from(text), maxTextDepth)) throw refusedText('the JSON is nested too deeply', param)
  try {
    return parseJsonText(text)
  } catch {
    throw refusedText('the text is not valid JSON', param)
  }
}
const maxTextDepth = 128

/** A pattern or a list of choices. */
const textGrammar = (make: () => Grammar, param: string): Grammar => {
  try {
    const grammar = make()
    compileGrammar(grammar)
    return grammar
  } catch (error) {
    if (error instanceof GrammarRefused) throw refusedText('no text can match it', param)
    if (error instanceof PatternRefused) throw refusedText(error.message, param)
    throw error
  }
}

/** Schemas that are acceptable one by one may together be too large for one grammar. */
const orRefused = <Result>(compile: () => Result, param: string): Result => {
  try {
    return compile()
  } catch (error) {
    // Too deep for the stack.
    if (error instanceof GrammarRefused || error instanceof RangeError)
      throw refusedText('the schemas are too complex', param)
    throw error
  }
}

const refusedText = (reason: string, param: string): CompileRefused =>
  new CompileRefused({ error: 'refused_value', reason, param } satisfies CompileRefusal)
