import { isAlias, isMap, isScalar, isSeq, Lexer, parseDocument, type YAMLMap } from 'yaml'
import { isRecord } from '../../base/is-record.ts'
import { OperatorError } from '../../base/operator-error.ts'

/** Reading takes some microseconds for each, and more than a linear time for what is nested. */
const maxTokens = 40_000
const maxIndent = 100
/** Lists and mappings that begin in one line, such as `- - a`. */
const maxIndicators = 10
const maxBrackets = 30
/** A file can be far smaller than what its aliases repeat. */
const maxValues = 100_000
const maxDepth = 60

/** Reads a mapping, with the merge keys (`<<`) of YAML 1.1, which many programs still read. Throws an `OperatorError` of one line. */
export const readYaml = (text: string): Record<string, unknown> => {
  refuseExcess(text)
  // The parser compares each key of a mapping with all before it: ten thousand keys took it two seconds. Of equal keys the last one counts, as
  // in LiteLLM, whose own examples have some.
  const document = parseDocument(text, { merge: true, uniqueKeys: false })
  const [error] = document.errors
  if (error?.code === 'MULTIPLE_DOCS') throw new OperatorError('The file has several YAML documents.')
  if (error !== undefined) throw new OperatorError(`The file is not valid YAML: ${error.message.split('\n')[0]}`)
  const value = createReader()(document.contents, 0)
  if (!isRecord(value)) throw new OperatorError('The file is not a mapping.')
  return value
}

const tooMuch = (what: string): OperatorError => new OperatorError(`The file cannot be read: ${what}.`)

/** Before it is parsed: what is nested deeply enough takes the parser seconds, and all of the process's memory. */
const refuseExcess = (text: string): void => {
  let tokens = 0
  let brackets = 0
  let indicators = 0
  let startsLine = true
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (token === '[' || token === '{') brackets += 1
    else if (token === ']' || token === '}') brackets = Math.max(0, brackets - 1)
    else if (brackets === 0 && (token === '-' || token === '?' || token === ':')) indicators += 1
    const isIndented = startsLine && token.length > maxIndent && /^[ \t]/.test(token)
    if (brackets > maxBrackets || indicators > maxIndicators || isIndented) throw tooMuch('it is nested too deeply')
    if (tokens > maxTokens) throw tooMuch('it is too long')
    startsLine = token === '\n' || token === '\r\n'
    if (startsLine) indicators = 0
  }
}

/** Reads a node into a plain value. What aliases repeat counts each time. */
const createReader = () => {
  const anchors = new Map<string, unknown>()
  let values = 0
  const read = (node: unknown, depth: number): unknown => {
    values += 1
    if (values > maxValues) throw tooMuch('its aliases repeat too much')
    if (depth > maxDepth) throw tooMuch('it is nested too deeply')
    if (isAlias(node)) {
      if (!anchors.has(node.source)) throw tooMuch(`there is no anchor for the alias *${node.source}`)
      return read(anchors.get(node.source), depth + 1)
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null
    if (node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isScalar(node)) return node.value
    return isSeq(node) ? node.items.map((item) => read(item, depth + 1)) : readMap(node, depth)
  }
  const readMap = ({ items }: YAMLMap, depth: number): Record<string, unknown> => {
    const own = new Map<string, unknown>()
    const merged: unknown[] = []
    for (const { key, value } of items) {
      // The parser says a merge key with a symbol.
      const said = read(key, depth + 1)
      const name = typeof said === 'symbol' ? (said.description ?? '') : String(said)
      const found = read(value, depth + 1)
      if (name === '<<') merged.push(...(Array.isArray(found) ? found : [found]))
      else own.set(name, found)
    }
    // The first of several wins, and what the mapping says itself before all of them.
    const inherited = merged.filter(isRecord).toReversed()
    return Object.fromEntries([...inherited.flatMap((one) => Object.entries(one)), ...own])
  }
  return read
}
