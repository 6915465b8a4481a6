import { parseArgs } from 'node:util'
import { soakModel } from './soak-model.ts'
import { soakScripted } from './soak-scripted.ts'

/**
 * `--engine=scripted|model` runs one of the two parts, `--requests=N` fewer requests. Both together end within 15
 * minutes on any machine, with the requests sent until then.
 */
const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    requests: { type: 'string', default: '2000' },
  },
})
const requests = Number(options.requests)
if (options.engine !== 'scripted') await soakModel(requests)
if (options.engine !== 'model') await soakScripted(requests)
