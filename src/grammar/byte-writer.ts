/** Writes bytes and big-endian numbers into a buffer that grows. */
export interface ByteWriter {
  size(): number
  byte(value: number): void
  short(value: number): void
  word(value: number): void
  /** Replaces a word that was written at this address. */
  setWord(address: number, value: number): void
  /** A copy of exactly what was written. */
  finish(): Uint8Array<ArrayBuffer>
}

const firstCapacity = 1024

export const createByteWriter = (): ByteWriter => {
  let bytes = new Uint8Array(firstCapacity)
  let view = new DataView(bytes.buffer)
  let used = 0
  /** Returns the address of the reserved bytes. */
  const reserve = (count: number): number => {
    if (used + count > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length)
      larger.set(bytes)
      bytes = larger
      view = new DataView(bytes.buffer)
    }
    used += count
    return used - count
  }
  return {
    size: () => used,
    byte(value) {
      const at = reserve(1)
      view.setUint8(at, value)
    },
    short(value) {
      const at = reserve(2)
      view.setUint16(at, value)
    },
    word(value) {
      const at = reserve(4)
      view.setUint32(at, value)
    },
    setWord: (address, value) => view.setUint32(address, value),
    finish: () => bytes.slice(0, used),
  }
}
