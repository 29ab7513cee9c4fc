/** Reference values of 60-digit arithmetic; see the file's own `about`. */
import vectors from '../vectors/privacy.json' with { type: 'json' };

export const privacyVectors = vectors;
