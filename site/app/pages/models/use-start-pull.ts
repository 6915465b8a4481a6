import { useMutation } from '@tanstack/react-query'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { useRefreshModels } from './use-refresh-models.ts'

/** Starts the download of a source. It is shown in the list of downloads. */
export const useStartPull = (onStarted: () => void = () => {}) => {
  const platform = usePlatform()
  const { models } = useWords()
  const toast = useToast()
  const refresh = useRefreshModels()
  return useMutation({
    /** An empty name: that of the file. */
    mutationFn: ({ source, name }: { source: string; name: string }) =>
      platform.startPull({ body: { source, ...(name === '' ? {} : { name }) } }),
    async onSuccess({ name }) {
      toast(models.pullStarted(name))
      onStarted()
      await refresh()
    },
  })
}
