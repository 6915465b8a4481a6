import { modelNamePattern } from '../../../../src/models/propose-model-name.ts'
import type { ListedModel } from '../../../../src/platform/contract/models.ts'

export type UploadProblem = 'notReadable' | 'notGguf' | 'isPart' | 'noDisk' | 'badName' | 'takenName'

type Known = { data: readonly Pick<ListedModel, 'id' | 'aliases'>[]; diskBytes: number }

/** What the page can say at once, and in the reader's language. The server checks the same, and more. */
export const checkUpload = async (
  { file, name }: { file: Pick<File, 'name' | 'size' | 'slice'>; name: string },
  known: Known | undefined,
): Promise<UploadProblem | null> => {
  const start = await file
    .slice(0, 4)
    .text()
    .catch(() => null)
  if (start === null) return 'notReadable'
  if (start !== 'GGUF') return 'notGguf'
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(file.name)) return 'isPart'
  if (known !== undefined && file.size > known.diskBytes) return 'noDisk'
  if (!modelNamePattern.test(name)) return 'badName'
  const names = known?.data.flatMap(({ id, aliases }) => [id, ...aliases]) ?? []
  return names.some((taken) => taken.toLowerCase() === name.toLowerCase()) ? 'takenName' : null
}
