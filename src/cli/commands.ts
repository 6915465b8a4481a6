import { accountsLink } from './accounts-link.ts'
import { accountsResetTwoFactor } from './accounts-reset-two-factor.ts'
import { backup } from './backup.ts'
import { chat } from './chat.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { keysRevoke } from './keys-revoke.ts'
import { restore } from './restore.ts'

/** The commands that are done when they return, in the order the help shows them. */
export const commands: readonly Command[] = [
  keysCreate,
  keysList,
  keysRevoke,
  accountsLink,
  accountsResetTwoFactor,
  chat,
  backup,
  restore,
  doctor,
]
