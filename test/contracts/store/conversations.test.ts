import { expect, test } from 'vitest'
import { conversationsOfMember, sharesOfMember } from '../../../src/store/conversation-contract.ts'
import { claimServer, joinTeam, signUp } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

const dayMs = 86_400_000

eachStore((create) => {
  test('a conversation is its member’s: found by its text and title, renamed, pinned and deleted by nobody else', async () => {
    await using data = await create()
    await using store = await data.open()
    const { conversations } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const { organisationId } = ann
    await joinTeam(store, { organisationId, accountId: ann.id }, ben.id, 'member')
    const mine = { accountId: ann.id, organisationId }
    const theirs = { accountId: ben.id, organisationId }
    const insert = (id: string, title: string, searchText: string, savedAt: number) =>
      conversations.insertConversation(mine, id, { title, content: `"${title}"`, searchText, savedAt })
    const found = async (search: string, reader = mine) =>
      (await conversations.listConversations(reader, search)).map(({ id }) => id)
    expect(await insert('c1', 'Rivers', 'the longest river, 100%', 1)).toBe('inserted')
    expect(await insert('c2', '山', '富士山の高さ', 2)).toBe('inserted')
    expect(await insert('c3', 'Plain', 'a_b', 3)).toBe('inserted')
    expect(await insert('c3', 'Again', 'again', 4)).toBe('exists')
    const taken = { title: 'Mine', content: '1', searchText: '', savedAt: 4 }
    expect(await conversations.insertConversation(theirs, 'c3', taken)).toBe('exists')
    expect(await found('')).toEqual(['c3', 'c2', 'c1'])
    expect([await found('rivers'), await found('富士'), await found('0%'), await found('a_b')]).toEqual([
      ['c1'],
      ['c2'],
      ['c1'],
      ['c3'],
    ])
    const rivers = { content: '"Rivers"', searchText: 'the longest river, 100%' }
    expect(await conversations.findSameConversation(mine, rivers)).toBe('c1')
    expect(await conversations.findSameConversation(theirs, rivers)).toBeNull()
    expect(await conversations.findSameConversation(mine, { ...rivers, content: '"rivers"' })).toBeNull()
    expect([await found('%'), await found('_')]).toEqual([['c1'], ['c3']])
    expect(await found('', theirs)).toEqual([])
    expect(await conversations.findConversation(theirs, 'c1')).toBeNull()
    expect(await conversations.changeConversation(theirs, 'c1', { title: 'stolen' })).toBe('not_found')
    expect(await conversations.removeConversation(theirs, 'c1')).toBe(false)
    expect(await conversations.changeConversation(mine, 'c1', { title: 'Éire’s Streams', isPinned: true })).toBe(
      'changed',
    )
    // By upper and lower case of every alphabet, and by both forms of a letter with an accent.
    expect([await found('éire'), await found('STREAMS')]).toEqual([['c1'], []])
    expect(await found('')).toEqual(['c1', 'c3', 'c2'])
    const saved = { content: '"again"', searchText: 'brook', version: 1, savedAt: 9 }
    expect(await conversations.changeConversation(mine, 'c1', { saved })).toBe('changed')
    // A page that was reloaded before the response came saves the same again.
    expect(await conversations.changeConversation(mine, 'c1', { saved })).toBe('changed')
    const late = { ...saved, content: '"late"' }
    expect(await conversations.changeConversation(mine, 'c1', { saved: late })).toBe('changed_meanwhile')
    expect(await conversations.findConversation(mine, 'c1')).toEqual({
      content: '"again"',
      conversation: {
        id: 'c1',
        title: 'Éire’s Streams',
        isPinned: true,
        version: 2,
        createdAt: 1,
        savedAt: 9,
        shares: 0,
      },
    })
    expect([await found('river'), await found('brook'), await found('streams')]).toEqual([[], ['c1'], ['c1']])
    expect(await conversations.removeConversation(mine, 'c1')).toBe(true)
    expect(await found('')).toEqual(['c3', 'c2'])
    const elsewhere = { accountId: ann.id, organisationId: await data.addOrganisation() }
    const other = { title: 'x', content: '{}', searchText: '', savedAt: 1 }
    expect(await conversations.insertConversation(elsewhere, 'c9', other)).toBe('gone')
  })

  test('what is shared is open in its organisation, until it is revoked or the conversation is deleted', async () => {
    await using data = await create()
    await using store = await data.open()
    const { conversations } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const { organisationId } = ann
    await joinTeam(store, { organisationId, accountId: ann.id }, ben.id, 'member')
    const mine = { accountId: ann.id, organisationId }
    const theirs = { accountId: ben.id, organisationId }
    await conversations.insertConversation(mine, 'c1', { title: 'Talk', content: '1', searchText: '', savedAt: 1 })
    const share = (reader: typeof mine, id: string) =>
      conversations.insertShare(reader, { id, conversationId: 'c1', content: `"${id}"`, createdAt: 5 })
    expect([await share(mine, 's1'), await share(mine, 's2'), await share(theirs, 's3')]).toEqual([
      'inserted',
      'inserted',
      'not_found',
    ])
    expect(await conversations.findShare(organisationId, 's1')).toEqual({
      ...{ id: 's1', createdAt: 5, title: 'Talk', createdBy: ann.id, createdByEmail: 'ann@example.com' },
      content: '"s1"',
    })
    expect(await conversations.findShare(ben.organisationId, 's1')).toBeNull()
    expect((await conversations.listShares(mine, 'c1')).map(({ id }) => id)).toEqual(['s1', 's2'])
    expect(await conversations.listShares(theirs, 'c1')).toEqual([])
    expect(await conversations.removeShare(theirs, 's1')).toBe(false)
    expect(await conversations.removeShare(mine, 's1')).toBe(true)
    expect(await conversations.findShare(organisationId, 's1')).toBeNull()
    expect((await conversations.listConversations(mine, ''))[0]?.shares).toBe(1)
    for (let n = 1; n < sharesOfMember; n += 1) expect(await share(mine, `more${n}`)).toBe('inserted')
    expect(await share(mine, 'last')).toBe('too_many')
    await conversations.removeConversation(mine, 'c1')
    expect(await conversations.findShare(organisationId, 's2')).toBeNull()
  })

  test('a member has so many conversations of so many bytes, and each for so many days', async () => {
    await using data = await create()
    await using store = await data.open()
    const { conversations } = store
    await claimServer(store)
    const { id: accountId, organisationId } = await signUp(store, 'ann@example.com')
    const reader = { accountId, organisationId }
    const large = '3'.repeat(13_000_000)
    const insert = (id: string, content: string, savedAt: number) =>
      conversations.insertConversation(reader, id, { title: 'x', content, searchText: '', savedAt })
    expect([await insert('large', large, 1), await insert('too', large, 1)]).toEqual(['inserted', 'full'])
    await conversations.removeConversation(reader, 'large')
    for (let n = 0; n < conversationsOfMember; n += 1) expect(await insert(`c${n}`, '0', n)).toBe('inserted')
    expect(await insert('last', '0', 1)).toBe('full')
    await conversations.changeConversation(reader, 'c0', { isPinned: true })
    expect(await conversations.pruneConversations(90 * dayMs + 2, 1)).toBe(1)
    expect(await conversations.pruneConversations(90 * dayMs + 3, 10)).toBe(1)
    expect((await conversations.listConversations(reader, '')).at(0)?.id).toBe('c0')
    await data.exec(`UPDATE organisations SET body_days = 7 WHERE id = '${organisationId}'`)
    expect(await conversations.pruneConversations(7 * dayMs + 4, 10)).toBe(2)
    expect((await conversations.listConversations(reader, '')).at(-1)?.id).toBe('c4')
  })
})
