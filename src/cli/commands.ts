import { accountsLink } from './accounts-link.ts'
import { accountsResetTwoFactor } from './accounts-reset-two-factor.ts'
import { backup } from './backup.ts'
import { cacheClear } from './cache-clear.ts'
import { chat } from './chat.ts'
import type { Command } from './command.ts'
import { showConfig } from './config-show.ts'
import { doctor } from './doctor.ts'
import { health } from './health.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { keysRevoke } from './keys-revoke.ts'
import { keysRotate } from './keys-rotate.ts'
import { limitsSet } from './limits-set.ts'
import { limitsShow } from './limits-show.ts'
import { migrate } from './migrate.ts'
import { migrateStore } from './migrate-store.ts'
import { modelsAdd } from './models-add.ts'
import { modelsDefault } from './models-default.ts'
import { modelsList } from './models-list.ts'
import { modelsPull } from './models-pull.ts'
import { modelsRemove } from './models-remove.ts'
import { nodes } from './nodes.ts'
import { organisationsList } from './organisations-list.ts'
import { restore } from './restore.ts'
import { secretsRotate } from './secrets-rotate.ts'
import { supportBundle } from './support-bundle.ts'
import { createSuspensionCommands } from './suspension-commands.ts'
import { upgrade } from './upgrade.ts'
import { upstreamCommands } from './upstream-commands.ts'
import { upstreamsAdd } from './upstreams-add.ts'
import { upstreamsEdit } from './upstreams-edit.ts'
import { upstreamsImport } from './upstreams-import.ts'
import { upstreamsList } from './upstreams-list.ts'
import { usage } from './usage.ts'
import { verifyRelease } from './verify-release.ts'

/** Commands that finish when they return, in the order of the help. */
export const commands: readonly Command[] = [
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  ...createSuspensionCommands('key'),
  limitsShow,
  limitsSet,
  usage,
  accountsLink,
  accountsResetTwoFactor,
  ...createSuspensionCommands('account'),
  organisationsList,
  ...createSuspensionCommands('organisation'),
  modelsList,
  modelsAdd,
  modelsPull,
  modelsRemove,
  modelsDefault,
  upstreamsList,
  upstreamsAdd,
  upstreamsEdit,
  upstreamsImport,
  ...upstreamCommands,
  cacheClear,
  nodes,
  chat,
  backup,
  restore,
  migrate,
  upgrade,
  migrateStore,
  health,
  secretsRotate,
  showConfig,
  doctor,
  supportBundle,
  verifyRelease,
]
