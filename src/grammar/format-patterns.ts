const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = `${octet}(?:\\.${octet}){3}`

const group = '[0-9a-fA-F]{1,4}'
/** All eight groups, or a gap of at least one group with this many before and after it. */
const ipv6 = [
  `(?:${group}:){7}${group}`,
  `(?:${group}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((before) => `(?:${group}:){${before}}(?::${group}){1,${7 - before}}`),
  `:(?::${group}){1,7}`,
  '::',
].join('|')

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const monthAndDay =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
const date = `(?:\\d{4}-${monthAndDay}|${leapYear}-02-29)`
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`

const count = '\\d{1,9}'
const days = `(?:${count}Y(?:${count}M)?(?:${count}D)?|${count}M(?:${count}D)?|${count}D)`
const hours = `T(?:${count}H(?:${count}M)?(?:${count}S)?|${count}M(?:${count}S)?|${count}S)`
const duration = `P(?:${count}W|${days}(?:${hours})?|${hours})`

const label = (longest: number): string => `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,${longest - 2}}[a-zA-Z0-9])?`
/** A name has at most 253 characters in all: few labels of any length, or more of half the length. */
const hostname = `(?:${label(63)}(?:\\.${label(63)}){0,2}|${label(32)}(?:\\.${label(32)}){3,6})`
const atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,64}"
const email = `${atom}(?:\\.${atom}){0,7}@(?:${label(63)}\\.){1,7}${label(63)}`

const pathCharacter = "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})"
const queryCharacter = "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})"
const authority = `${hostname}(?::\\d{1,5})?`
const uri =
  `[a-zA-Z][a-zA-Z0-9+.-]{0,30}:(?://${authority}(?:/${pathCharacter}*)*|${pathCharacter}+(?:/${pathCharacter}*)*)` +
  `(?:\\?${queryCharacter}*)?(?:#${queryCharacter}*)?`

const byte = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'
const hexDigits = (length: number): string => `[0-9a-fA-F]{${length}}`
const uuid = `${hexDigits(8)}-(?:${hexDigits(4)}-){3}${hexDigits(12)}`

/** Patterns that match only texts of the format, though not always all of them. */
export const formatPatterns = new Map<string, string>([
  ['date', date],
  ['time', time],
  ['iso-time', time],
  ['date-time', `${date}T${time}`],
  ['iso-date-time', `${date}T${time}`],
  ['duration', duration],
  ['email', email],
  ['hostname', hostname],
  ['ipv4', ipv4],
  ['ipv6', `(?:${ipv6})`],
  ['uri', uri],
  ['uri-reference', uri],
  ['uuid', uuid],
  ['byte', byte],
])

/** Formats that limit strings but have no pattern here. */
export const refusedFormats = new Set([
  ...['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'uri-template', 'url', 'regex'],
  ...['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
])

/** Formats that describe a string without limiting it. */
export const freeFormats = new Set(['password', 'binary'])

/** Number formats, with the integers they allow; null: every number. */
export const numberFormats = new Map<string, { minimum: number; maximum: number } | null>([
  ['int32', { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['int64', { minimum: -(2 ** 63), maximum: 2 ** 63 }],
  ['float', null],
  ['double', null],
])
