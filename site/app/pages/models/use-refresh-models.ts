import { useQueryClient } from '@tanstack/react-query'
import { sessionKey } from '../../session.ts'

/** After a change: the list, the downloads, and the models that the playground offers. */
export const useRefreshModels = (): (() => Promise<void>) => {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      [['models'], ['model-pulls'], sessionKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
  }
}
