import { expect, test } from 'vitest'
import { promptsOfAccount, versionsOfPrompt } from '../../../src/store/playground-contract.ts'
import { claimServer, joinTeam, signUp } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

eachStore((create) => {
  test('a draft counts its saves, and nothing is stored for somebody who is no member', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const { id: accountId, organisationId } = await signUp(store, 'ann@example.com')
    const reader = { accountId, organisationId }
    expect(await store.playground.findDraft(reader)).toBeNull()
    expect(await store.playground.saveDraft(reader, '{"一":1}', 5)).toBe(1)
    expect(await store.playground.saveDraft(reader, '{"二":2}', 6)).toBe(2)
    expect(await store.playground.findDraft(reader)).toEqual({ content: '{"二":2}', version: 2, savedAt: 6 })
    const elsewhere = { accountId, organisationId: await data.addOrganisation() }
    expect(await store.playground.saveDraft(elsewhere, '{}', 7)).toBeNull()
    expect(await store.playground.findDraft(elsewhere)).toBeNull()
  })

  test('a prompt is its creator’s to change, and others’ to open once it is shared', async () => {
    await using data = await create()
    await using store = await data.open()
    const { playground } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const { organisationId } = ann
    await joinTeam(store, { organisationId, accountId: ann.id }, ben.id, 'member')
    const [mine, theirs] = [ann, ben].map(({ id }) => ({ accountId: id, organisationId }))
    if (mine === undefined || theirs === undefined) throw new Error('there are two')
    const names = async (reader = mine) => (await playground.listPrompts(reader)).map(({ name }) => name)
    const insert = (id: string, name: string, isShared: boolean, savedAt: number) =>
      playground.insertPrompt(mine, { id, name, isShared, content: `"${name}"`, savedAt })
    expect([await insert('p1', 'old', false, 1), await insert('p2', '新', true, 2)]).toEqual(['inserted', 'inserted'])
    expect([await names(), await names(theirs)]).toEqual([['新', 'old'], ['新']])
    expect(await playground.findPrompt(theirs, 'p1', null)).toBeNull()
    expect(await playground.findPrompt({ ...theirs, organisationId: ben.organisationId }, 'p2', null)).toBeNull()
    expect(await playground.changePrompt(theirs, 'p2', { name: 'stolen' }, 3)).toBe(false)
    expect(await playground.changePrompt(mine, 'p1', { content: '"2"', isShared: true }, 3)).toBe(true)
    expect(await playground.changePrompt(mine, 'p1', { name: 'older' }, 4)).toBe(true)
    expect(await playground.findPrompt(theirs, 'p1', null)).toEqual({
      ...{ content: '"2"', version: 2 },
      prompt: {
        ...{ id: 'p1', name: 'older', isShared: true, createdBy: ann.id, createdByEmail: 'ann@example.com' },
        ...{ createdAt: 1, savedAt: 4, version: 2 },
      },
      versions: [
        { version: 2, savedAt: 3 },
        { version: 1, savedAt: 1 },
      ],
    })
    expect(await playground.findPrompt(mine, 'p1', 1)).toMatchObject({ content: '"old"', version: 1 })
    expect(await playground.findPrompt(mine, 'p1', 9)).toBeNull()
    expect(await names()).toEqual(['older', '新'])
    expect(await playground.setPromptRemoved(theirs, 'p1', 5)).toBe(false)
    expect(await playground.setPromptRemoved(mine, 'p1', 5)).toBe(true)
    expect(await names()).toEqual(['新'])
    expect(await playground.setPromptRemoved(mine, 'p1', null)).toBe(true)
    expect(await names()).toEqual(['older', '新'])
    await playground.setPromptRemoved(mine, 'p1', 7)
    expect(await playground.prunePrompts(7, 10)).toBe(0)
    expect(await playground.prunePrompts(8, 10)).toBe(1)
    expect(await playground.setPromptRemoved(mine, 'p1', null)).toBe(false)
    expect(await names()).toEqual(['新'])
  })

  test('an account has so many prompts, and a prompt so many versions', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const { id: accountId, organisationId } = await signUp(store, 'ann@example.com')
    const reader = { accountId, organisationId }
    const insert = (n: number) =>
      store.playground.insertPrompt(reader, { id: `p${n}`, name: `${n}`, isShared: false, content: '0', savedAt: n })
    for (let n = 0; n < promptsOfAccount; n += 1) expect(await insert(n)).toBe('inserted')
    expect(await insert(promptsOfAccount)).toBe('too_many')
    for (let n = 1; n <= versionsOfPrompt; n += 1)
      await store.playground.changePrompt(reader, 'p0', { content: `${n}` }, n)
    const found = await store.playground.findPrompt(reader, 'p0', null)
    expect([found?.version, found?.versions.length, found?.versions.at(-1)?.version]).toEqual([51, 50, 2])
  })
})
