import { abilities } from '../src/accounts/roles.ts'
import { reaches } from '../src/store/decide-member-change.ts'
import { roles } from '../src/store/team-contract.ts'

/** The text of `docs/teams.md`. */
export const documentTeams = (): string => {
  const rows = Object.values(abilities).map(({ text, least }) => {
    const marks = roles.map((role) => (reaches(role, least) ? 'yes' : ''))
    return `| ${text} | ${marks.join(' | ')} |`
  })
  return `${head}\n| | ${roles.join(' | ')} |\n|---|${roles.map(() => '---').join('|')}|\n${rows.join('\n')}\n${rest}`
}

const head = `# Organisations and roles

Written by \`npm run docs\`, the table from \`src/accounts/roles.ts\`, which the routes go by too; a test keeps them equal.

Keys, limits, usage and stored completions belong to an organisation. Whoever signs up has one of their own, may make others
(\`organisationsPerAccount\`), and may be invited to more. Somebody acts for one organisation at a time; the console switches
between them, for that session.
`

const rest = `
The owner of the server is somebody else: the one who claimed it. They look after accounts and organisations as a whole (suspend,
resume, limits, links), and have no role in an organisation that they do not belong to.

- **Roles.** Nobody raises themselves; everybody may step down or leave. Admins neither touch nor make owners. There may be
  several owners, and there is always one: the last can only hand over or delete the organisation.
- **At the same time.** A change of a role, a name or [a limit](limits.md) says what it was before. Where somebody else was faster, it is refused
  (\`changed_meanwhile\`) and nothing is overwritten.
- **Invitations** are good for one person and seven days, by a link or, with a mail server, by mail. They can be withdrawn, and
  are withdrawn when whoever made them is removed or steps down. Somebody with an account joins with it; somebody new signs up
  with the invitation, unless \`signUp\` is \`closed\`.
- **Leaving.** An account is never without an organisation: whoever leaves or loses the last one gets a new, empty one. An account
  is the right to use this server; to take that away, the owner of the server suspends it. Keys belong to the organisation and
  stay when their maker leaves; whoever removes a member chooses whether the keys that they made end.
- **Deleting** an organisation takes its keys and stored completions with it. Its people stay.
- **Windows.** A page says for which organisation it was drawn (\`x-organisation\`). After a switch in another window its changes
  are refused (\`organisation_switched\`) and it loads anew.
`
