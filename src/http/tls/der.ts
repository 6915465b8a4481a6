/** Just enough of DER (X.690) to write one certificate; nothing is read with it. */
export const der = {
  sequence: (...items: Uint8Array[]): Buffer => element(0x30, ...items),
  set: (...items: Uint8Array[]): Buffer => element(0x31, ...items),
  /** `bytes` is an unsigned big-endian number without leading zeros. */
  integer: (bytes: Uint8Array): Buffer => element(0x02, ...((bytes[0] ?? 0) & 0x80 ? [zero, bytes] : [bytes])),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0)),
  oid: (dotted: string): Buffer => element(0x06, oidBody(dotted)),
  utf8: (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8')),
  octets: (bytes: Uint8Array): Buffer => element(0x04, bytes),
  bits: (bytes: Uint8Array, unusedBits = 0): Buffer => element(0x03, Buffer.of(unusedBits), bytes),
  time: (ms: number): Buffer => time(new Date(ms)),
  /** [n] around whole elements. */
  explicit: (number: number, ...items: Uint8Array[]): Buffer => element(0xa0 | number, ...items),
  /** [n] in place of a string's own tag. */
  implicit: (number: number, bytes: Uint8Array): Buffer => element(0x80 | number, bytes),
} as const

const zero = Buffer.of(0)

const element = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const body = Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tag), encodeLength(body), body])
}

const encodeLength = ({ length }: Uint8Array): Buffer => {
  if (length < 0x80) return Buffer.of(length)
  const octets = bigEndian(length, 8)
  return Buffer.of(0x80 | octets.length, ...octets)
}

/** A number in digits of `bitsPerDigit` bits, the highest first. */
const bigEndian = (value: number, bitsPerDigit: 7 | 8): number[] => {
  const base = 2 ** bitsPerDigit
  const digits = [value % base]
  for (let rest = Math.floor(value / base); rest > 0; rest = Math.floor(rest / base)) digits.unshift(rest % base)
  return digits
}

const oidBody = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const withMoreBits = (digits: number[]) => digits.map((digit, at) => (at < digits.length - 1 ? digit | 0x80 : digit))
  return Buffer.from([first * 40 + second, ...others].flatMap((arc) => withMoreBits(bigEndian(arc, 7))))
}

/** RFC 5280 §4.1.2.5: two-digit years up to 2049, four-digit ones after. */
const time = (date: Date): Buffer => {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text))
}
