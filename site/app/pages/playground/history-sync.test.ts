import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { createPageCredentials, createPlatform } from '../../../platform/platform.ts'
import { readContent, writeDraft } from './draft-content.ts'
import { HistorySync } from './history-sync.ts'
import { isSameConversation } from './is-same-conversation.ts'
import { createPlaygroundStore, emptyState, type PlaygroundStore } from './playground-store.ts'
import { newAnswer, type Turn } from './turns.ts'
import { watchConversations } from './watch-conversations.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {} })
  vi.stubGlobal('addEventListener', () => {})
  // No frame is drawn, as in a tab that is hidden.
  vi.stubGlobal('requestAnimationFrame', () => 1)
  vi.stubGlobal('cancelAnimationFrame', () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

type Kept = { id: string; title: string; version: number; content: string }

type Save = { id: string; title: string; content: string; saved: { content: string; version: number } }

/** What the page sends: of the two, one is made and one is changed. */
const asSave = (body: unknown): Save => (typeof body === 'string' ? parseJsonText(body) : {}) as Save

/** The history of a server: as it saves conversations, and refuses what is based on an old version. */
const createHistory = () => {
  const kept = new Map<string, Kept>()
  const credentials = { ...createPageCredentials(), csrfToken: 't', organisationId: 'org_1' }
  const refuse = (status: number, code: string): Response =>
    Response.json({ error: { code, message: 'no' } }, { status })
  const save = (conversation: Kept, status: number): Response => {
    kept.set(conversation.id, conversation)
    const { content: _kept, ...shown } = conversation
    return Response.json(shown, { status })
  }
  const platform = createPlatform(credentials, async (url, { method, body }) => {
    const id = url.split('/conversations/')[1]
    const old = kept.get(id ?? '')
    const sent = asSave(body)
    if (id !== undefined && old === undefined) return refuse(404, 'not_found')
    if (method === 'GET' && old !== undefined) return Response.json({ conversation: old, content: old.content })
    if (old === undefined) {
      if (kept.has(sent.id)) return refuse(409, 'conversation_changed')
      return save({ id: sent.id, title: sent.title, version: 1, content: sent.content }, 201)
    }
    if (old.version !== sent.saved.version) return refuse(409, 'conversation_changed')
    return save({ ...old, version: old.version + 1, content: sent.saved.content }, 200)
  })
  return { kept, platform, credentials }
}

const sent = (text: string): Turn => ({ kind: 'sent', id: `sent-${text}`, text })
const answer = (text: string, part: object = {}): Turn => ({
  ...newAnswer({ model: 'm', isJson: false }),
  ...{ id: `answer-${text}`, text, outcome: { kind: 'finished', reason: 'stop' } },
  ...part,
})

type History = ReturnType<typeof createHistory>

const openPage = ({ platform, credentials }: Omit<History, 'kept'>, store = createPlaygroundStore()) => {
  const watch = watchConversations(store, credentials)
  const first = store.read()
  return { store, loadScript: () => new HistorySync({ store, platform, credentials, watch, first }) }
}

/** The page is loaded anew, with what its draft had. */
const reload = (store: PlaygroundStore): PlaygroundStore => {
  const next = createPlaygroundStore()
  const content = readContent(writeDraft(store.read(), 100_000).text)
  if (content !== null) next.change(content)
  return next
}

const contents = ({ kept }: History): readonly string[] =>
  [...kept.values()].map(({ content }) => (readContent(content)?.turns ?? []).map(({ text }) => text).join(' '))

test('what was replaced before the script was there is kept, each conversation by itself', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('1')] })
  store.change({ turns: [sent('One'), answer('1'), sent('More'), answer('2')] })
  store.change(emptyState)
  store.change({ turns: [sent('Two'), answer('3')] })
  store.change({ turns: [sent('Unanswered')], conversation: null })
  await loadScript().flush()
  expect(contents(history)).toEqual(['One 1 More 2', 'Two 3'])
})

test('what was replaced in an organisation that was left meanwhile is not saved in another one', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('1')] })
  store.change(emptyState)
  history.credentials.organisationId = 'org_2'
  await loadScript().flush()
  expect(contents(history)).toEqual([])
})

test('tokens that no frame has shown are kept, too, when something takes their place', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('Begun', { id: 'running' })] })
  store.changeAnswer('running', (turn) => ({ ...turn, text: 'Begun and told' }))
  store.change(emptyState)
  await loadScript().flush()
  expect(contents(history)).toEqual(['One Begun and told'])
})

test('a page that is reloaded in the middle of an answer goes on with the same conversation', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  const running = { id: 'running', outcome: { kind: 'running' } }
  store.change({ turns: [sent('One'), answer('1')] })
  const before = loadScript()
  await before.flush()
  store.change({ turns: [...store.read().turns, sent('More'), answer('', running)], runningId: 'running' })
  await before.flush()
  const thought = { text: 'Hm', fromMs: 1, toMs: 2, isOver: false }
  store.changeAnswer('running', (turn) => ({ ...turn, text: 'Half', thought }))
  // The draft and the history are saved as the page is left, and it does not hear of it.
  const draft = reload(store)
  await before.flush()
  const after = openPage(history, draft)
  after.store.change({ turns: [...after.store.read().turns, sent('Again'), answer('2')] })
  await after.loadScript().flush()
  expect(contents(history)).toEqual(['One 1 More Half Again 2'])
})

test('what is added to a conversation that was deleted is kept as another one; as it was, it stays deleted', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('1')] })
  const sync = loadScript()
  await sync.flush()
  history.kept.clear()
  await sync.flush()
  expect(contents(history)).toEqual([])
  store.change({ turns: [...store.read().turns, sent('More'), answer('2')] })
  store.change(emptyState)
  await sync.flush()
  expect(contents(history)).toEqual(['One 1 More 2'])
})

test('a save that a page has not heard of, and that was deleted since, does not bring it back', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('1')] })
  const before = loadScript()
  await before.flush()
  store.change({ turns: [...store.read().turns, sent('More'), answer('2')] })
  const saving = before.flush()
  const draft = reload(store)
  await saving
  history.kept.clear()
  const after = openPage(history, draft)
  await after.loadScript().flush()
  expect(contents(history)).toEqual([])
  expect(after.store.read().conversation?.version).toBe(0)
})

test('a conversation that another tab has taken goes on under another id, without a copy of what it was', async () => {
  const history = createHistory()
  const { store, loadScript } = openPage(history)
  store.change({ turns: [sent('One'), answer('1')] })
  const sync = loadScript()
  await sync.flush()
  const [kept] = history.kept.values()
  if (kept === undefined) throw new Error('nothing was saved')
  const other = JSON.stringify({ turns: [{ kind: 'sent', text: 'Other' }] })
  history.kept.set(kept.id, { ...kept, version: 2, content: other })
  store.change({ turns: [...store.read().turns, sent('More'), answer('2')] })
  const saving = sync.flush()
  // It grows while the save is under way.
  store.change({ turns: [...store.read().turns, sent('And more'), answer('3')] })
  await saving
  await sync.flush()
  expect(contents(history)).toEqual(['Other', 'One 1 More 2 And more 3'])
})

test('a conversation is the same without its first message, and under another id', () => {
  const turns = [sent('One'), answer('1')]
  const conversation = { id: 'cnv_1', title: '', version: 1, mark: '', sent: [] }
  const state = { ...emptyState, turns, conversation }
  expect(isSameConversation(state, { ...state, turns: turns.slice(1) })).toBe(true)
  expect(isSameConversation(state, { ...state, conversation: { ...conversation, id: 'cnv_2' } })).toBe(true)
  expect(isSameConversation(state, { ...state, conversation: null })).toBe(true)
  expect(isSameConversation(state, { ...state, turns: [sent('Two')], conversation: null })).toBe(false)
})
