import { setTimeout as after } from 'node:timers/promises'
import { parseJsonText } from '../../src/base/parse-json-text.ts'
import { readText, send } from '../../src/cli/http-client.ts'
import { modelMark, originMark } from '../../src/site-server/pages.ts'
import type { startSampleService } from '../start-service.ts'

type Service = Awaited<ReturnType<typeof startSampleService>>

/** The program with this server's address and, in place of `chatcmpl-…`, an object that exists; and the key it needs. */
type ReadySample = { code: string; key: string }

/**
 * What a reader fills in. Every sample has an object of its own, since some delete it. Only keys that may manage an
 * organisation read usage and keys.
 */
export const createSampleSubjects = async (service: Service) => {
  const manager = await service.createKey('manage')
  const create = async (path: string, body: object, key = service.key): Promise<string> => {
    const ask = async () =>
      readText(await send({ baseUrl: service.origin }, { method: 'POST', path: `/v1${path}`, body, key }))
    let text = await ask()
    // The models are still loading.
    for (let seconds = 0; text.includes('engine_loading') && seconds < 120; seconds++) {
      await after(1000)
      text = await ask()
    }
    const { id } = Object(parseJsonText(text))
    if (typeof id !== 'string') throw new Error(`POST ${path}: ${text}`)
    return id
  }
  const question = 'Why is the sky blue?'
  const subjects = [
    {
      mark: 'chatcmpl-…',
      create: () => {
        const messages = [{ role: 'user', content: question }]
        return create('/chat/completions', { model: 'helix-v1', store: true, max_completion_tokens: 4, messages })
      },
    },
    {
      mark: 'resp_…',
      create: () => create('/responses', { model: 'helix-v1', max_output_tokens: 16, input: question }),
    },
    { mark: 'key_…', create: () => create('/keys', { name: 'a sample' }, manager) },
  ]
  return {
    async prepare(sample: string): Promise<ReadySample> {
      let code = sample.replaceAll(originMark, service.origin).replaceAll(modelMark, 'helix-v1')
      for (const subject of subjects)
        if (code.includes(subject.mark)) code = code.replaceAll(subject.mark, await subject.create())
      return { code, key: /["'/](?:keys|usage)\b/.test(sample) ? manager : service.key }
    },
  }
}
