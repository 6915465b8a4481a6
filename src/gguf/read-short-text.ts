import type { ByteReader } from './byte-reader.ts'
import { GgufRefused } from './gguf-refused.ts'

/** A text with its length before it. `what` names it in the error if it is longer than the limit. */
export const readShortText = async (reader: ByteReader, limitBytes: number, what: string): Promise<string> => {
  await reader.fill(8)
  const length = reader.takeUint64()
  if (length > limitBytes) throw new GgufRefused(`is damaged: ${what} has ${length} bytes`)
  await reader.fill(length)
  return reader.takeText(length)
}
