import { once } from 'node:events'
import { connect } from 'node:net'
import { findRedis } from '../../test/harness/redis/find-redis.ts'
import { startRedis as startServer } from '../../test/harness/redis/start-redis.ts'
import type { Part } from './part.ts'

export type ChaosRedis = Part & {
  readonly port: number
  /** All its data is gone, and nobody is told. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** A Redis of the run's own. It writes nothing to the disk: when it is killed, its data is lost. */
export const startRedis = async (): Promise<ChaosRedis> => {
  const program = await findRedis()
  if (program === null) throw new Error('There is no Redis: install it.')
  let server = await startServer(program)
  const port = Number(new URL(server.url).port)
  return {
    name: 'redis',
    port,
    kill: () => server.close(),
    async restart() {
      server = await startServer(program, { port })
    },
    pause: () => void process.kill(server.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.pid, 'SIGCONT'),
    async flush() {
      const socket = connect(port, '127.0.0.1')
      socket.write('FLUSHALL\r\n')
      await once(socket, 'data')
      socket.destroy()
    },
    close: () => server.close(),
  }
}
