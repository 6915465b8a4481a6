import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { runCommand } from '../harness/run-command.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

type Person = Awaited<ReturnType<typeof signUp>>

const dataDir = scratchPath()
let helix: Helix
let owner: Person
let anna: Person
beforeAll(async () => {
  helix = await openHelix({ config: { dataDir } })
  owner = await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return () => helix.close()
})

const run = (...args: string[]) => runCommand([...args, '--data-dir', dataDir])
const asked = async (): Promise<string | null> => {
  const headers = { authorization: `Bearer ${anna.firstKey.key}` }
  const response = await fetch(`${helix.baseUrl}/models`, { headers })
  return response.ok ? null : (await readError(response)).code
}

test.each([
  ['account', 'Anna@Example.com'],
  ['organisation', null],
  ['key', 'First key of anna'],
])(
  'a suspended %s is refused at once by the running server, and works again once it is resumed',
  async (thing, name) => {
    const { account, organisation } = await anna.load()
    await anna.post(`/keys/${anna.firstKey.id}`, { name: 'First key of anna' })
    const id = { account: account?.id, organisation: organisation?.id, key: anna.firstKey.id }[thing]
    const subject = name ?? organisation?.id ?? ''
    expect(await asked()).toBeNull()
    expect(await run(`${thing}s`, 'suspend', subject)).toEqual({
      code: 0,
      stdout: `${id} has been suspended.\n`,
      stderr: '',
    })
    expect(await asked()).toBe(`${thing}_suspended`)
    const resumed = await run(`${thing}s`, 'resume', subject, '--json')
    expect(JSON.parse(resumed.stdout)).toEqual({ id, suspended: false, changed: true })
    expect(await asked()).toBeNull()
    const told = (await (await owner.get(`/admin/audit?target=${id}&action=${thing}`)).json()) as {
      data: { action: string; actor: { kind: string } }[]
    }
    expect(told.data.slice(0, 2).map(({ action, actor }) => [action, actor.kind])).toEqual([
      [`${thing}.resumed`, 'command_line'],
      [`${thing}.suspended`, 'command_line'],
    ])
  },
)

test('the owner of the server cannot be suspended, and an unknown id is a one-line error', async () => {
  expect(await run('accounts', 'suspend', 'owner@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'helix: The owner of this server cannot be suspended.\n',
  })
  // Their organisation can be, and they still see to it.
  const id = (await owner.load()).organisation?.id ?? ''
  await run('organisations', 'suspend', id)
  expect((await owner.post(`/admin/organisations/${id}/resume`)).status).toBe(204)
  for (const [things, subject] of [
    ['accounts', 'nobody@example.com'],
    ['organisations', 'org_none'],
    ['keys', 'none'],
  ] as const) {
    const { code, stderr } = await run(things, 'suspend', subject)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^helix: No [^\n]*\n$/)
  }
})

test('without a running server it applies from the next startup, and the list shows it', async () => {
  const { organisation } = await anna.load()
  await helix.close()
  await run('organisations', 'suspend', organisation?.id ?? '')
  expect((await run('organisations', 'suspend', organisation?.id ?? '')).stdout).toContain('was already suspended')
  const { stdout } = await run('organisations', 'list')
  expect(stdout).toMatch(/^ID +NAME +STATE +MEMBERS +KEYS +CREATED$/m)
  expect(stdout).toMatch(new RegExp(`^${organisation?.id} +anna +suspended +1 +1 +20`, 'm'))
  expect(await run('accounts', 'suspend', 'owner@example.com')).toMatchObject({ code: 1 })
  helix = await openHelix({ config: { dataDir } })
  expect(await asked()).toBe('organisation_suspended')
})
