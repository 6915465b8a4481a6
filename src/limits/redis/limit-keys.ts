/** All keys of the limits: one hash tag, so one node of a Redis cluster. */
export const limitKeys = '{limits}:'

/** The channel on which a node tells the others that it has restored the windows. */
export const limitsChannel = 'limits'
