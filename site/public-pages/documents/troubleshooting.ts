import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderTroubleshooting = (context: PageContext): Page =>
  guidePage(context, {
    words: context.words.guides.troubleshooting,
    samples: [
      ['first', ownKey],
      ['connect', []],
      ['address', []],
      ['key', []],
      ['model', []],
      ['limit', []],
      ['context', []],
      ['empty', []],
      ['stream', []],
      ['browser', []],
      ['report', []],
    ],
    related: ['/docs/errors', '/docs/limits', '/docs/operate/incidents'],
  })

const ownKey = callSamples({
  path: '/key',
  python: `
print(client.get("/key", cast_to=object))`,
  typescript: `
console.log(await client.get('/key'))`,
})
