import { rename } from 'node:fs/promises'
import { workerSocketPath } from '../../src/http/control-socket.ts'

/** Does something while no worker can pass a request on to the main thread: what is answered, workers have answered. */
export const withoutPassingOn = async <Result>(
  { dataDir }: { dataDir: string },
  work: () => Promise<Result>,
): Promise<Result> => {
  const path = workerSocketPath(dataDir)
  const aside = `${path}.aside`
  await rename(path, aside)
  try {
    return await work()
  } finally {
    await rename(aside, path)
  }
}
