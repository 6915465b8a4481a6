import type { ListedModel } from '../../../../src/platform/contract/models.ts'

export type UploadProblem = 'notGguf' | 'tooLarge' | 'noDisk' | 'badName' | 'takenName'

type Known = { data: readonly Pick<ListedModel, 'id' | 'aliases'>[]; memoryBytes: number; diskBytes: number }

const goodName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/

/** What the page can say at once, and in the reader's language. The server checks the same, and more. */
export const checkUpload = async (
  { file, name }: { file: Blob; name: string },
  known: Known | undefined,
): Promise<UploadProblem | null> => {
  if ((await file.slice(0, 4).text()) !== 'GGUF') return 'notGguf'
  if (known !== undefined && file.size > known.memoryBytes) return 'tooLarge'
  if (known !== undefined && file.size > known.diskBytes) return 'noDisk'
  if (!goodName.test(name)) return 'badName'
  const names = known?.data.flatMap(({ id, aliases }) => [id, ...aliases]) ?? []
  return names.some((taken) => taken.toLowerCase() === name.toLowerCase()) ? 'takenName' : null
}
