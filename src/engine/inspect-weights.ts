import { errorCode } from '../base/caught-error.ts'
import { describeGguf, type GgufDescription } from '../gguf/describe-gguf.ts'
import { GgufRefused } from '../gguf/gguf-refused.ts'
import { type GgufFile, readGguf } from '../gguf/read-gguf.ts'
import { memoryLimitBytes } from './memory-limit.ts'
import { ModelRefused } from './model-refused.ts'

/**
 * Reads what the weight files say about their model, before a process loads them. Throws a `ModelRefused` for files that
 * are damaged, truncated, larger than the memory, or of a model that cannot be served.
 */
export const inspectWeights = async (
  paths: readonly string[],
  memoryBytes: number = memoryLimitBytes(),
): Promise<GgufDescription> => {
  const [first = ''] = paths
  const files: GgufFile[] = []
  for (const path of paths) files.push(await orRefuse(path, () => readGguf(path)))
  const description = await orRefuse(first, async () => describeGguf(files))
  if (description.kind === 'chat' && !description.hasChatTemplate)
    throw new ModelRefused(`${first} does not contain a chat template: choose a chat model.`)
  if (description.sizeBytes > memoryBytes)
    throw new ModelRefused(
      `${first} has ${gigabytes(description.sizeBytes)} of weights, more than the ${gigabytes(memoryBytes)} of memory available: choose a smaller model.`,
    )
  return description
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

const adviceFor = ({ message }: GgufRefused): string =>
  /damaged|truncated|empty/.test(message) ? 'Restore the file or choose another model.' : 'Choose another model.'

const orRefuse = async <Result>(path: string, read: () => Promise<Result>): Promise<Result> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof GgufRefused) throw new ModelRefused(`${path} ${error.message}. ${adviceFor(error)}`)
    const code = errorCode(error)
    if (code === '') throw error
    throw new ModelRefused(`${path} cannot be read (${code}): check its permissions.`)
  }
}
