import type { appDetailPages } from '../../src/site-server/pages.ts'
import type { BrowserSession } from '../harness/browser-session.ts'
import { modelName } from '../harness/start-helix.ts'

export type DetailPage = (typeof appDetailPages)[number]

/** Makes one thing of each kind that has a page of its own, and returns where its page is. */
export const makeDetails = async (owner: BrowserSession): Promise<Record<DetailPage, string>> => {
  const key = await made(
    owner.post('/keys', { name: 'nightly evaluation', expiresAt: null, limits: { tokensPerDay: 4000 } }),
  )
  const chat = { model: modelName, messages: [{ role: 'user', content: 'Which river is the longest?' }] }
  const answered = await owner.post('/playground/chat/completions', chat)
  await answered.text()
  const turns = [
    { kind: 'sent', text: 'Which river is the longest?' },
    { kind: 'answer', model: modelName, text: 'The **Nile**.' },
  ]
  const content = JSON.stringify({ model: modelName, turns })
  const conversation = { title: 'Rivers', content, searchText: 'rivers' }
  const { id } = await made(owner.post('/playground/conversations', conversation))
  const share = await made(owner.post(`/playground/conversations/${id}/shares`, { content }))
  return {
    '/requests/{request}': `/requests/${answered.headers.get('x-request-id')}`,
    '/keys/{key}': `/keys/${key.id}`,
    '/playground/shared/{share}': `/playground/shared/${share.id}`,
  }
}

const made = async (answer: Promise<Response>): Promise<{ id: string }> => {
  const response = await answer
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}
