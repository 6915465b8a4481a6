import { open } from 'node:fs/promises'

const magic = 'GGUF'

/** By the extension or, for files without one such as Ollama's, the first bytes. False for a file that cannot be read. */
export const isGguf = async (path: string): Promise<boolean> => {
  if (/\.gguf$/i.test(path)) return true
  try {
    await using file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === magic
  } catch {
    return false
  }
}
