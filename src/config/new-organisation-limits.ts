import { limitColumn } from './limit-kinds.ts'

/**
 * Limits of an organisation for which neither the settings nor the server owner set others; null: none. They do not apply to
 * the server owner's organisation, because the machine is theirs.
 */
export const newOrganisationLimits = limitColumn('newOrganisation')
