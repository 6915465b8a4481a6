import { isAbsolute } from 'node:path'
import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { object } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'
import type { Client } from '../operations/client.ts'
import type { BackupItem } from '../store/backup-item.ts'
import type { Store } from '../store/contract.ts'
import { post, socket } from './operation.ts'

const backup = object({ file: string() })

export const backupOperations = {
  writeBackup: post('/backup', socket, 'Copies all data to a new file.', { body: backup, answer: backup, status: 201 }),
}

/** Only the operator can call it, so the response may include the reason for a failure. */
export const createBackupControl = (
  store: Pick<Store, 'backUp'>,
  createItems: () => Promise<BackupItem[]>,
  recordNow: () => Promise<void>,
): Client<typeof backupOperations> => ({
  async writeBackup({ body: { file } }) {
    if (!isAbsolute(file))
      throw ApiError.of('refused_value', { path: 'file', reason: 'it must be an absolute path' }, { param: 'file' })
    await store.backUp(file, await createItems()).catch((error: unknown) => {
      if (error instanceof OperatorError)
        throw ApiError.of('backup_failed', { reason: error.message }, { cause: error })
      throw error
    })
    await recordNow()
    return { file }
  },
})
