import type { ListedModel } from '../../../../src/platform/contract/models.ts'

export type UploadProblem = 'notReadable' | 'notGguf' | 'noDisk' | 'badName' | 'takenName'

type Known = { data: readonly Pick<ListedModel, 'id' | 'aliases'>[]; diskBytes: number }

const goodName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,95}$/u

/** What the page can say at once, and in the reader's language. The server checks the same, and more. */
export const checkUpload = async (
  { file, name }: { file: Blob; name: string },
  known: Known | undefined,
): Promise<UploadProblem | null> => {
  const start = await file
    .slice(0, 4)
    .text()
    .catch(() => null)
  if (start === null) return 'notReadable'
  if (start !== 'GGUF') return 'notGguf'
  if (known !== undefined && file.size > known.diskBytes) return 'noDisk'
  if (!goodName.test(name)) return 'badName'
  const names = known?.data.flatMap(({ id, aliases }) => [id, ...aliases]) ?? []
  return names.some((taken) => taken.toLowerCase() === name.toLowerCase()) ? 'takenName' : null
}
