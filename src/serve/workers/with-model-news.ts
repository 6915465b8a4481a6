import type { Models } from '../../models/contract.ts'

/** The same models, which say when their list was changed. */
export const withModelNews = (models: Models, onReloaded: () => void): Models => ({
  list: () => models.list(),
  find: (name) => models.find(name),
  get defaultPool() {
    return models.defaultPool
  },
  async reload() {
    await models.reload()
    onReloaded()
  },
  close: () => models.close(),
})
