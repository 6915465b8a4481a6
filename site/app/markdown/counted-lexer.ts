import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import { findMath } from './find-math.ts'
import type { WorkBudget } from './work-budget.ts'

/** What a step costs however little it reads: a dozen expressions are tried, and a token and an element are created. */
const stepUnits = 200
/** A line of a list or quotation is checked for the start of every kind of block. */
const lineUnits = 500
/** A cell is parsed on its own, also an empty one that fills up a short row. */
const cellUnits = 500
/** The lexer looks for the text of each task among those of all others. */
const taskPairUnits = 10
/** A run of delimiters inside an emphasis: whether it opens or closes depends on the characters around it. */
const runUnits = 1500
/** To typeset a formula, and each of its characters: it is parsed twice, and its elements are created. */
const mathUnits = 10_000
const mathCharacterUnits = 500
/** More of them in one paragraph than anybody writes; to search them all once takes milliseconds. */
const maxRuns = 1000
/** Longer ones are text. The lexer removes punctuation from the end of an address one character at a time. */
const longestAddress = 2000

/**
 * A lexer that pays for its steps. Most look no further than they read; one that looks for the end of an emphasis, a link or
 * a code span pays for all that it has searched. A single step costs little, also in the longest text, so it may pay
 * afterwards, when it is known how far it went.
 */
export const createCountedLexer = (budget: WorkBudget): Lexer => {
  const tokenizer = new CountedTokenizer(budget)
  const lexer = new CountedLexer(tokenizer, budget)
  const { inline } = tokenizer.rules
  // Only line breaks are tags here. Any other tag, such as an open comment, would be searched for up to the end.
  tokenizer.rules = { ...tokenizer.rules, inline: { ...inline, tag: lineBreakTag, text: textBeforeMath(inline.text) } }
  return lexer
}

class CountedLexer extends Lexer {
  readonly #budget: WorkBudget

  constructor(tokenizer: Tokenizer, budget: WorkBudget) {
    super({ ...getDefaults(), tokenizer })
    this.#budget = budget
  }

  /** Before its steps, a run of text is searched for links: from each bracket up to its end. */
  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    this.#budget.spend(stepUnits + source.length)
    if (runsIn(source) > maxRuns) this.#budget.spend(Number.POSITIVE_INFINITY)
    for (let at = source.indexOf('['); at !== -1; at = source.indexOf('[', at + 1))
      this.#budget.spend(source.length - at)
    return super.inlineTokens(source, tokens)
  }
}

/** HTML is text here, but for line breaks, which tables need. Definitions of links would change blocks that have ended. */
class CountedTokenizer extends Tokenizer {
  readonly #budget: WorkBudget

  constructor(budget: WorkBudget) {
    super()
    this.#budget = budget
  }

  /** The first attempt of every step between blocks. */
  override space(source: string): Tokens.Space | undefined {
    this.#budget.spend(stepUnits + source.length)
    if (container.test(source)) this.#budget.spend(containerUnits(source))
    return super.space(source)
  }

  override table(source: string): Tokens.Table | undefined {
    const [head = '', delimiters = ''] = source.split('\n', 2)
    if (delimiterRow.test(delimiters)) {
      const end = source.search(blankLine)
      const rows = linesIn(end === -1 ? source : source.slice(0, end))
      this.#budget.spend(rows * head.split('|').length * cellUnits)
    }
    return super.table(source)
  }

  override html(): undefined {}
  override def(): undefined {}

  /** The first attempt of every step inside a block. */
  override escape(source: string): Tokens.Escape | undefined {
    this.#budget.spend(stepUnits)
    const math = findMath(source, (characters) => this.#budget.spend(characters))
    if (math !== null) this.#budget.spend(mathUnits + math.text.length * mathCharacterUnits)
    // Both are read before anything else; what a formula contains is no Markdown.
    return math === null ? super.escape(source) : { type: 'escape', raw: math.raw, text: math.raw }
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    if (bracket.test(source)) this.#budget.spend(source.length)
    return super.link(source)
  }

  override emStrong(source: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    const token = super.emStrong(source, masked, before)
    if (opensEmphasis(source, before)) this.#budget.spend(delimiterUnits(read(source, token)))
    return token
  }

  override del(source: string, masked: string, before = ''): Tokens.Del | undefined {
    const token = super.del(source, masked, before)
    if (source.startsWith('~')) this.#budget.spend(delimiterUnits(read(source, token)))
    return token
  }

  override codespan(source: string): Tokens.Codespan | undefined {
    const token = super.codespan(source)
    if (source.startsWith('`')) this.#budget.spend(read(source, token).length)
    return token
  }

  /** Wherever text begins, all that may be the name in a mail address is read. */
  override inlineText(source: string): Tokens.Text | undefined {
    this.#budget.spend(mailName.exec(source)?.[0].length ?? 0)
    return super.inlineText(source)
  }

  override tag(source: string): Tokens.Tag | undefined {
    const raw = lineBreakTag.exec(source)?.[0]
    return raw === undefined ? undefined : { ...lineBreak, raw }
  }

  override url(source: string): Tokens.Link | undefined {
    if (!address.test(source)) return super.url(source)
    const length = source.search(addressEnd)
    const whole = length === -1 ? source : source.slice(0, length)
    if (whole.length > longestAddress) return
    this.#budget.spend(whole.length * (1 + (whole.match(addressPunctuation)?.length ?? 0)))
    return super.url(source)
  }
}

/** Text ends where a formula may begin, as it does before what else may begin there: what is beyond is not searched for each. */
const textBeforeMath = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source.replace('(?=[\\\\<', '(?=[$\\\\<'), flags)

const lineBreakTag = /^<br *\/?>/i
const lineBreak = { type: 'html', inLink: false, inRawBlock: false, block: false, text: '' } as const
const container = /^ {0,3}(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t\n]|$))/
/** It ends every list and quotation. */
const heading = /\n#{1,6}[ \t]/
const task = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\]/gm
const delimiterRow = /^ {0,3}[-:|]/
const blankLine = /\n[ \t]*\n/
const mailName = /^.[a-z0-9.!#$%&'*+/=?_`{|}~-]*/is
const bracket = /^!?\[/
const address = /^(?:https?:|ftp:|www\.)/i
const addressEnd = /[\s<]/
const addressPunctuation = /[?!.,:;*_'"~()&]/g

/** What was searched for the end of something that opens with the source: all of it if there was none. */
const read = (source: string, token: Token | undefined): string =>
  token === undefined ? source : source.slice(0, token.raw.length)

/** Otherwise its end is not searched for. */
const opensEmphasis = (source: string, before: string): boolean =>
  opener.test(source) && !(source.startsWith('_') && letterOrDigit.test(before))

const opener = /^(?:\*+[^\s*]|_+[^\s_])/
const letterOrDigit = /[\p{L}\p{N}]/u

const delimiterUnits = (text: string): number => text.length + runsIn(text) * runUnits

const runsIn = (text: string): number => text.match(delimiters)?.length ?? 0
const delimiters = /\*+|_+|~+/g

const containerUnits = (source: string): number => {
  const end = source.search(heading)
  const own = end === -1 ? source : source.slice(0, end)
  return linesIn(own) * lineUnits + (own.match(task)?.length ?? 0) ** 2 * taskPairUnits
}

const linesIn = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
