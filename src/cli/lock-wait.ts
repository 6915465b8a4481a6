/** A starting server or another command may hold the data directory for a short time. */
export const lockWaitMs = 3000
