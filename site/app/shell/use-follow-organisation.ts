import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAppState } from '../app-state.ts'

/** All cached data belongs to one organisation: after a switch, here or in another window, all of it is fetched again. */
export const useFollowOrganisation = (id: string): void => {
  const queryClient = useQueryClient()
  const { credentials } = useAppState()
  const shown = useRef(id)
  useEffect(() => {
    credentials.organisationId = id
    if (shown.current === id) return
    shown.current = id
    void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }, [id, queryClient, credentials])
}
