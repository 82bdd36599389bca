"""Writes six windows around updates with what statsmodels says of them: a quasi-Poisson model of counts, and least squares with the errors of Newey and West."""
import numpy as np, statsmodels.api as sm, json
rng=np.random.default_rng(7)
out=[]
for case in range(6):
    first=20000+case*3; last=first+ [10,0,17,5,12,8][case]
    days=np.arange(first-56,last+29)
    base=np.exp(np.log([40,400,3000,8,150,900][case])+0.002*(days-first)+0.2*np.sin(days%7))
    eff=[0,-0.3,0.2,0.5,-0.1,0][case]
    mu=base*np.exp(eff*(days>last))
    y=rng.negative_binomial(20,20/(20+mu))
    X=[]
    for w in range(7): X.append((days%7==w).astype(float))
    X.append((days-first)/7.0)
    X.append(((days>=first)&(days<=last)).astype(float)); X.append((days>last).astype(float))
    X=np.array(X).T
    m=sm.GLM(y,X,family=sm.families.Poisson()).fit(scale='X2')
    scale=max(m.scale,1.0)
    se=np.sqrt(np.diag(m.cov_params()))[-1]/np.sqrt(m.scale)*np.sqrt(scale)
    from scipy.stats import t as T
    df=m.df_resid
    p=2*T.sf(abs(m.params[-1]/se),df)
    pos=5+0.01*(days-first)+rng.normal(0,0.3,len(days))+0.8*(days>last)
    o=sm.OLS(pos,X).fit(cov_type='HAC',cov_kwds={'maxlags':7,'use_correction':True},use_t=True)
    out.append(dict(first=int(first),last=int(last),start=int(days[0]),counts=[int(v) for v in y],positions=[round(float(v),6) for v in pos],clicks=[m.params[-1],se,p],position=None))
    pr=np.array(out[-1]['positions'])
    o=sm.OLS(pr,X).fit(cov_type='HAC',cov_kwds={'maxlags':7,'use_correction':True},use_t=True)
    out[-1]['position']=[o.params[-1],o.bse[-1],o.pvalues[-1]]
json.dump(out,open('../../../modules/monitoring/src/update_impact/windows.json','w'))
