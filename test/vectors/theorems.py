"""Numbers of the paper's claims and lemmas, computed from its formulas alone: python3 theorems.py > theorems.json

Every entry names a function, what it is given, and what it must say. Nothing here is read from the library; with mpmath
in 50 digits where it is installed, else in doubles.
"""
import json

try:
    from mpmath import mp, mpf, exp, log, sqrt, pi

    mp.dps = 50
    N = mpf
except ImportError:
    from math import exp, log, sqrt, pi

    N = float

entries = []


def claim(function, given, value, **also):
    entries.append({"function": function, "given": given, "bound": float(value), **also})


def lemma(function, given, value):
    entries.append({"lemma": function, "given": given, "value": value if isinstance(value, dict) else float(value)})


# Theorem UPRidge: (sqrt p + p ||C||) ||C|| sqrt p log^(3/2)(n) log(log n/delta) / (n eps), ||C|| = 2 D the diameter.
n, p, D, S1, eps, delta = N(7321), N(17), N("0.037"), N("1.3"), N("0.43"), N("1e-5")
C = 2 * D
claim(
    "upRidge",
    dict(rows=7321, features=17, radius=0.037, gradientRatio=1.3, epsilon=0.43, delta=1e-5),
    (sqrt(p) + p * C) * C * sqrt(p) * log(n) ** N("1.5") * log(log(n) / delta) / (n * eps),
)

# Lemma NOPLconvDPFW: Gamma^(1/3) (L2 G)^(2/3) log^2(n/delta) / (n eps)^(2/3).
n, L2, G, Gamma, eps, delta = N(40123), N("1.7"), N("2.9"), N("3.1"), N("0.61"), N("1e-7")
claim(
    "noplConvDpFw",
    dict(rows=40123, radius=0.8, lipschitz=1.7, gaussianWidth=2.9, curvature=3.1, epsilon=0.61, delta=1e-7),
    Gamma ** (N(1) / 3) * (L2 * G) ** (N(2) / 3) * log(n / delta) ** 2 / (n * eps) ** (N(2) / 3),
)

# The GLM theorems, logistic: K_Phi' = 1, K_Phi'' = 1/4, Phi''(s) = e^-s/(1 + e^-s)^2.
n, eps, delta, zeta = N(3_000_000), N("0.7"), N("1e-4"), N("0.07")
Lx, truth, lmin, D, C1 = N("1.2"), N("2.5"), N("0.4"), N("0.9"), N("0.3")
glm = dict(rows=3_000_000, epsilon=0.7, delta=1e-4, targetBound=1, featureNorm=1.2, truthNorm=2.5)
glm["smallestEigenvalue"] = 0.4
phi2 = exp(-Lx * truth) / (1 + exp(-Lx * truth)) ** 2
beta = Lx**2 / 4


def accelerated(r, D):
    eta = min(N(1), r / (4 * D * beta))
    c = max(N(1) / 2, 1 - r / (8 * D * beta))
    return eta, c, log(n) / log(1 / c)


q = N("0.43")
r = phi2 * lmin / 2 * (truth - D) - sqrt(C1 * log(2 / zeta) / n) - n**-q
eta, c, T = accelerated(r, D)
claim(
    "ermGlmUpGeneral",
    dict(glm, radius=0.9, failureProbability=0.07, concentration=0.3, slackExponent=0.43),
    1 / n + eta * log(T / delta) * sqrt(T * log(T / zeta)) / ((1 - c) * n * eps),
    gradientFloor=float(r),
)
r = N("0.03") * phi2 / phi2
eta, c, T = accelerated(r, D)
claim(
    "ermGlmUpGeneral",
    dict(glm, radius=0.9, failureProbability=0.07, concentration=0.3, gradientFloor=0.001),
    (lambda e, cc, t: 1 / n + e * log(t / delta) * sqrt(t * log(t / zeta)) / ((1 - cc) * n * eps))(
        *accelerated(N("0.001"), D)
    ),
)
logs = log(n / delta) * sqrt(log(n) * log(n / zeta))
claim(
    "ermUpCInc",
    dict(glm, failureProbability=0.07, estimatorConstant=1.7),
    N("1.7") * logs / (n ** N("0.8") * eps),
)
q = N("0.3")
claim(
    "ermUpCInc",
    dict(glm, failureProbability=0.07, slackExponent=0.3, concentration=0.3),
    logs * (1 / (n ** (1 - q / 2) * eps) + 1 / n ** (q + N("0.5")) + 1 / n ** (2 * q)),
    radius=float(truth - 4 / (phi2 * lmin) / n**q),
    gradientFloor=float(n**-q - sqrt(C1 * log(2 / zeta) / n)),
    conditions={
        "n > (4 C1 log(2/zeta))^(1/(1-2q))": float((4 * C1) ** (1 / (1 - 2 * q)) * log(2 / zeta) ** (1 / (1 - 2 * q)))
    },
)
claim(
    "iterRateIncC",
    dict(glm, failureProbability=0.07, features=6, largestEigenvalue=0.9, estimatorConstant=1.7, concentration=0.3),
    N("1.7") * log(n) / sqrt(n)
    + sqrt(N("1.7") * log(n / delta)) * (log(n) * log(n / zeta)) ** N("0.25") / (n ** N("0.4") * sqrt(eps)),
    conditions={
        "n > (4 C1)^5 log^5(2/zeta)": float((4 * C1) ** 5 * log(2 / zeta) ** 5),
        "n > C4 log(2p/zeta)": float(8 * Lx**2 * (N("0.9") + lmin / 3) / lmin**2 * log(12 / zeta)),
    },
)
claim(
    "iterRateIncCNon",
    dict(glm, failureProbability=0.07, features=6, estimatorConstant=1.7),
    N("1.7") / sqrt(n) + sqrt(log(n * eps / zeta)) / (n * eps) ** (N(1) / 3),
    radius=2.5,
    conditions={"n > C4 log(2p/zeta)": float(8 * Lx**2 * (Lx**2 + lmin / 3) / lmin**2 * log(12 / zeta))},
)
claim(
    "ermGlmUp",
    dict(glm, radius=0.9, claimConstant=3),
    3 * log(log(n) / delta) * sqrt(log(n) * log(n * log(n))) / (n * eps),
)

# Heavy tails: sigma_2 = 1.6.
n, zeta, s2 = N(250_000), N("0.04"), N("1.6")
heavy = dict(rows=250_000, failureProbability=0.04, noise=1.6)
claim("htNonAccFw", dict(heavy, radius=2, truthNorm=1.9), sqrt(1 + s2) * log(n / zeta) ** N("0.25") / n ** (N(1) / 6))
claim(
    "accFwRob",
    dict(heavy, truthNorm=1.9, smallestEigenvalue=0.6, largestEigenvalue=1.1, gap=0.7),
    sqrt(1 + s2) * log(n) ** N("0.25") * log(n * log(n) / zeta) ** N("0.25") / n ** N("0.2"),
)
singular = dict(heavy, eigenvalues=[1.3, 0.8, 0, 0], truth=[1, -0.5, 0.3, 0.4])
cK = N("0.5")
claim("nonAccLambdaZero", singular, sqrt(1 + s2) * log(n / zeta) ** N("0.25") / n ** (N(1) / 9) + cK)
claim(
    "nonAccLambdaZero",
    dict(heavy, radius=5, hiddenNorm=0.5),
    sqrt(1 + s2) * log(n / zeta) ** N("0.25") / n ** (N(1) / 9) + cK,
)
acc = sqrt(1 + s2) * (log(n) * log(n / zeta)) ** N("0.25") / (cK * n) ** N("0.25") + cK + sqrt(cK)
claim("accFwLambdaZero", singular, acc)
K, u, lmax, g = N("0.8"), N("0.01"), N("1.3"), N("0.2")
claim(
    "accFwLambdaZero",
    dict(heavy, hiddenNorm=0.5, radius=0.8, gradientFloor=0.01, largestEigenvalue=1.3, penalty=0.2),
    acc,
    stepSize=float(u / (4 * K * (lmax + g))),
)
g, lmax, lmin = N("0.3"), N("1.3"), N("0.8")
ratio = log((lmax + lmin + 2 * g) / (lmax + g))
claim(
    "ridgeGd",
    dict(heavy, eigenvalues=[1.3, 0.8], truth=[1, 2], penalty=0.3),
    1 / sqrt(n)
    + (lmax + lmin + 2 * g)
    / (lmin + g)
    * sqrt((s2**2 + g**2 / (lmin + g) ** 2) * log(n) * log(log(n) / (zeta * ratio)) / (n * ratio)),
)
claim(
    "htRidgeWellConditioned",
    dict(heavy, eigenvalues=[1.3, 0.8], truth=[1, 2]),
    (1 + s2) * sqrt(log(n) * log(log(n) / zeta) / n),
)
claim("htRidgeSingular", singular, (1 + s2) * sqrt(log(n) * log(n / zeta)) / n ** N("0.2") + cK)

# Private smooth losses.
n, zeta, eps, delta = N(90_000), N("0.03"), N("0.55"), N("1e-6")
smooth = dict(rows=90_000, failureProbability=0.03, epsilon=0.55, delta=1e-6, lipschitz=0.4, smoothness=0.2)
claim(
    "privHtGdSmooth",
    smooth,
    sqrt(log(n / zeta)) / n ** N("0.2") + log(n / delta) * sqrt(log(n / zeta)) / (sqrt(n) * eps),
)
claim(
    "privHtAgdSmooth",
    smooth,
    log(n / zeta) / n ** N("0.4") + log(n / zeta) * log(n / delta) ** 2 / (n * eps**2),
)
claim(
    "utilPrivSgd",
    dict(rows=5000, features=7, radius=0.6, lipschitz=1.3, epsilon=0.5, delta=1e-5),
    N("1.3") * N("1.2") * log(N(5000) / N("1e-5")) ** N("1.5") * sqrt(7 * log(1 / N("1e-5"))) / (5000 * N("0.5")),
)


# Theorem AGD's R, corrected: see stableDescent.ts for what.
def nesterov(tu, tl, alpha, beta, start, risk, C3, T):
    lam = (sqrt(tu) - sqrt(tl)) / (sqrt(tu) + sqrt(tl))
    k = (tu - tl + alpha) / tu
    B = C3 * alpha + beta / tu / (1 - (1 + lam) * k - lam * k)
    E = alpha * (1 + 2 * lam) * B + beta
    R = 2 * E * (E / tu + 2 * tu * (1 + 2 * lam + 1 - sqrt(tl / tu)) * B)
    return sqrt(2 / tl * risk + start**2) * (1 - sqrt(tl / tu)) ** (N(T) / 2) + (tu / tl) ** N("0.25") * sqrt(R / tl)


tu, tl = N("1.2"), N(1)
lemma(
    "stableNesterov",
    dict(smoothness=1.2, strongConvexity=1, alpha=0.05, beta=0.02, startDistance=3, startRisk=4, at=6),
    nesterov(tu, tl, N("0.05"), N("0.02"), N(3), N(4), N(1), 6),
)
lemma(
    "stableGradientDescent",
    dict(smoothness=1.2, strongConvexity=0.5, alpha=0.1, beta=0.02, startDistance=3, at=9),
    (lambda k: 3 * k**9 + 2 / N("1.7") * N("0.02") / (1 - k))((N("0.7") + N("0.2")) / N("1.7")),
)

# Lemmas.
lemma(
    "acceleratedExcess",
    dict(startExcess=2, inexactness=0.01, steps=5, strongConvexity=2, gradientFloor=0.5, smoothness=1.5),
    (lambda c, e: c**5 * 2 + 3 * N("0.01") * e / (2 * (1 - c)))(1 - N(1) / 12, N(1) / 6),
)
lemma("frankWolfeExcess", dict(curvature=3, inexactness=0.5, steps=8), N(2) * 3 * N("1.5") / 10)
errors = [0.1, 0.2, 0.05, 0.3]
e = [N(str(x)) for x in errors]
a = sum(e) / 2
lemma(
    "inexactGradientExcess",
    dict(smoothness=2, startDistance=3, errors=errors),
    (9 + (2 * a + 3) * (2 * a + 2 * (1 * e[1] + 2 * e[2] + 3 * e[3]))) / 4,
)
lemma(
    "inexactNesterovExcess",
    dict(smoothness=2, startDistance=3, errors=errors),
    N(4) / 25 * (3 + 2 * (1 * e[0] + 2 * e[1] + 3 * e[2] + 4 * e[3]) / 2) ** 2,
)
lemma("medianOfMeansError", dict(totalVariance=7, failureProbability=0.02, rows=900), 11 * sqrt(7 * log(70) / N(900)))
al = N("0.7") * sqrt(5 * log(N(100)) / 400)
lemma(
    "linearGradientError",
    dict(features=5, chunkRows=400, stepFailure=0.01, noise=2, concentration=0.7),
    dict(alpha=float(al), beta=float(2 * al)),
)
al = sqrt(log(N(100)) / 400)
lemma(
    "ridgeGradientError",
    dict(chunkRows=400, stepFailure=0.01, penalty=0.2, smallestEigenvalue=0.3, noise=2),
    dict(alpha=float(al), beta=float(sqrt((4 + N("0.16")) * log(N(100)) / 400))),
)
lemma("gradientCovariance", dict(distance=3, noise=2, penalty=0.2, smallestEigenvalue=0.3), N("13.16"))
ph, nh, zh, ce = N(6), N(5000), N("0.02"), N("0.06")
gam = (ph * log(ph) * log(nh / (ph * zh)) / nh) ** N("0.375") + (
    ce * ph**2 * log(ph) * log(ph * log(ph) / zh) / nh
) ** N("0.25")
al = (sqrt(ce) + gam) * sqrt(log(ph))
lemma(
    "huberGradientError",
    dict(features=6, chunkRows=5000, stepFailure=0.02, contamination=0.06, noise=3),
    dict(alpha=float(al), beta=float(3 * al)),
)
lemma(
    "privateGradientError",
    dict(lipschitz=0.4, features=9, rows=8000, steps=10, failureProbability=0.02, epsilon=0.5, delta=1e-5),
    sqrt(32 * N("0.16") * log(N(200)) / 8000)
    + 8
    * N("0.4")
    * sqrt(8 * 9 * 10 * log(N(400)) * log(25 / N("1e-5")) * log(2 / N("1e-5")))
    / (8000 * N("0.5")),
)
q, C1, C2, C11, C4, s = N("0.2"), N("0.3"), N("0.5"), N("1.1"), N(3), N("1.7")
lemma(
    "pseudoHuberCurvature",
    dict(q=0.2, features=10, smallest=0.3, largest=0.5, reach=1.1, kurtosis=3, noise=1.7),
    dict(
        smoothness=0.05,
        strongConvexity=float(
            q**3 * C1**4 / (4 * 10 * (C1**2 * q**2 + 8 * C11**2 * C2**3 * C4 + 2 * C1**2 * s**2) ** N("1.5"))
        ),
    ),
)
T, eps, delta = N(40), N(3), N("1e-6")
lemma(
    "composedEpsilon",
    dict(epsilon=3, delta=1e-6, steps=40),
    eps / 2 + sqrt(T) * eps / (2 * sqrt(2 * log(2 / delta))) * (exp(eps / (2 * sqrt(2 * T * log(2 / delta)))) - 1),
)

print(json.dumps(entries, indent=1))
