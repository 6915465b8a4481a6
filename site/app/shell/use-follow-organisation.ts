import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { showOrganisation } from '../../platform/platform.ts'

/** All cached data belongs to one organisation: after a switch, here or in another window, all of it is fetched again. */
export const useFollowOrganisation = (id: string): void => {
  const queryClient = useQueryClient()
  const shown = useRef(id)
  useEffect(() => {
    showOrganisation(id)
    if (shown.current === id) return
    shown.current = id
    void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }, [id, queryClient])
}
