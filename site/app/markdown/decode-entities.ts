const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  middot: '·',
  bull: '•',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  larr: '←',
  rarr: '→',
  le: '≤',
  ge: '≥',
  ne: '≠',
}

const maxCodePoint = 0x10_ff_ff

/** Character references, as Markdown has them. Rare names stay as they are written. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      const isCharacter = code > 0 && code <= maxCodePoint && !(code >= 0xd8_00 && code <= 0xdf_ff)
      return isCharacter ? String.fromCodePoint(code) : '\ufffd'
    },
  )
