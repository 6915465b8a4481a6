/** Forms are small. */
export const formLimitBytes = 65_536
