export type OrganisationRecord = { id: string; name: string; createdAt: number }
