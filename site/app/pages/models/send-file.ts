import type { Platform } from '../../../platform/platform.ts'

type Sending = { signal: AbortSignal; onSent(bytes: number): void }

/** Resolves to the name of the model. One that fails or is stopped is given up, so that the server keeps nothing of it. */
export const sendFile = async (
  platform: Platform,
  { file, name }: { file: File; name: string },
  { signal, onSent }: Sending,
): Promise<string> => {
  const { id, partBytes } = await platform.beginUpload({ body: { name, sizeBytes: file.size }, signal })
  try {
    for (let offset = 0; offset < file.size; offset += partBytes) {
      const body = file.slice(offset, offset + partBytes)
      const { receivedBytes } = await platform.sendUploadPart({ params: { id, offset: String(offset) }, body, signal })
      onSent(receivedBytes)
    }
    return (await platform.finishUpload({ params: { id }, signal })).name
  } catch (error) {
    await platform.abortUpload({ params: { id } }).catch(() => {})
    throw error
  }
}
