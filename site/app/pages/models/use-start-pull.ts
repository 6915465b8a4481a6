import { useMutation } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { useRefreshModels } from './use-refresh-models.ts'

/** Starts the download of a source. It is shown in the list of downloads. */
export const useStartPull = (onStarted: () => void = () => {}) => {
  const platform = usePlatform()
  const refresh = useRefreshModels()
  return useMutation({
    mutationFn: (source: string) => platform.startPull({ body: { source } }),
    async onSuccess() {
      onStarted()
      await refresh()
    },
  })
}
