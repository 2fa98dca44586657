"""Makes float32.mlir.gz and complex64.mlir.gz: a function whose results are what is left of
identities such as |A - Q R|, one for each factorization. Locations and shardings are cut off."""
import jax, jax.numpy as jnp, numpy as np, gzip, re
jax.config.update('jax_enable_x64', True)
import jax.lax.linalg as ll
from jax._src.lax.linalg import geqrf
from jax import export, lax
H=lambda a: jnp.conj(jnp.swapaxes(a,-1,-2))
@jax.jit
def mm(a,b): return jnp.matmul(a,b)
def d(x): return jnp.max(jnp.abs(x))
def eye(q): return mm(H(q),q)-jnp.eye(q.shape[-1],dtype=q.dtype)
def check(a,t):
    o={}
    I=jnp.eye(4,dtype=a.dtype)
    one=lambda p: (p[...,None]==lax.iota(p.dtype,p.shape[-1])).astype(a.dtype)
    s=mm(a,H(a))+I; h=a+H(a)
    diag=lambda v: v[...,None,:]
    l=ll.cholesky(s); o['cholesky']=d(mm(l,H(l))-s)
    f,_,perm=ll.lu(a); o['lu']=d(mm(jnp.tril(f,-1)+I,jnp.triu(f))-mm(one(perm),a))
    q,r=ll.qr(t,full_matrices=False); o['qr']=d(mm(q,r)-t)+d(eye(q))
    u,sv,vh=ll.svd(t,full_matrices=False); o['svd']=d(mm(u*diag(sv),vh)-t)+d(eye(u))
    u,sv,vh=ll.svd(H(t),full_matrices=True); o['svd_full']=d(mm(u*diag(sv),vh[...,:3,:])-H(t))+d(eye(vh))
    o['svdvals']=d(ll.svd(t,compute_uv=False)-sv)
    q,r,p=ll.qr(t,pivoting=True,full_matrices=False); o['qr_pivoted']=d(mm(q,r)-mm(t,H(one(p))))
    v,w=ll.eigh(h,symmetrize_input=False,sort_eigenvalues=False); o['eigh']=d(mm(h,v)-v*diag(w))+d(eye(v))
    w,vl,vr=ll.eig(a); ac=a.astype(vr.dtype); o['eig']=d(mm(ac,vr)-vr*diag(w)); o['eig_left']=d(mm(H(ac),vl)-vl*diag(jnp.conj(w)))
    lt=jnp.tril(a)+4*I
    o['trsm']=d(mm(lt,ll.triangular_solve(lt,a,left_side=True,lower=True))-a)
    o['trsm_right']=d(mm(ll.triangular_solve(lt,a,lower=True,transpose_a=True,conjugate_a=True),H(lt))-a)
    tt,z=ll.schur(a); o['schur']=d(mm(z,tt)-mm(a,z))+d(eye(z))+d(jnp.tril(tt,-2))
    hh,taus=ll.hessenberg(a); q=ll.householder_product(hh[...,1:,:3],taus); o['hessenberg']=d(eye(q))+d(jnp.sum(jnp.abs(jnp.triu(hh,-1))**2,(-1,-2))-jnp.sum(jnp.abs(a)**2,(-1,-2)))
    ar,dd,ee,taus=ll.tridiagonal(h,lower=True)
    o['tridiagonal']=d(jnp.sum(dd*dd,-1)+2*jnp.sum(ee*ee,-1)-jnp.sum(jnp.abs(h)**2,(-1,-2)))
    x=ll.tridiagonal_solve(a[...,0]*0+1,a[...,0]*0+4,a[...,1]*0+2,t[...,:4,:])
    y=4*x+2*jnp.pad(x[...,1:,:],((0,0),(0,1),(0,0)))+jnp.pad(x[...,:-1,:],((0,0),(1,0),(0,0)))
    o['tridiagonal_solve']=d(y-t[...,:4,:])
    g,taus=geqrf(t)
    o['ormqr']=d(ll.ormqr(g,taus,t,left=True,transpose=True)-jnp.triu(g))
    return o
if __name__=='__main__':
  for dt in ('float32','complex64'):
    A=jax.ShapeDtypeStruct((2,4,4),dt); T=jax.ShapeDtypeStruct((2,5,3),dt)
    names=[f'lapack_{x}{r}_ffi' for x in 'sdcz' for r in ('geqp3','ormqr','unmqr','gtsv','gesvd')]
    f=jax.jit(check)
    e=export.export(f,platforms=['cpu'],disabled_checks=[export.DisabledSafetyCheck.custom_call(n) for n in names])(A,T)
    t=e.mlir_module()
    t=re.sub(r' ?loc\((?:[^()"]|"[^"]*"|\([^()]*\))*\)','',t)
    t=re.sub(r'^#loc.*\n','',t,flags=re.M)
    t2=re.sub(r', sdy.sharding_rule = #sdy.op_sharding_rule<.*?custom>','',t)
    t2=re.sub(r', mhlo.frontend_attributes = \{num_batch_dims = "1"\}','',t2)
    open(f'{dt}.mlir.gz','wb').write(gzip.compress(t2.encode(),9,mtime=0))
